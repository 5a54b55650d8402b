import { connect } from '../connect';
import { brokenPromises } from './api-contract';

/** Runs the contract against a real server, in a browser. */
export async function run(origin: string, key: string, table: string): Promise<readonly string[]> {
  const session = await connect(origin, key);
  try {
    return await brokenPromises(session, table);
  } finally {
    session.close();
  }
}

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ADD_TIMEOUT } from './add-row';
import {
  MissingColumnError,
  NotConnectedError,
  reasonOf,
  RowRefusedError,
  TimedOutError,
} from './errors';
import { TableHub } from './table-hub';
import { MemoryServer } from './testing/memory-server';

const REQUESTS = 'swap_requests';
const TEXT = 'java.lang.String';

let server: MemoryServer;
let hub: TableHub;

/** Adds a row and lets time pass; what was thrown, or null. */
async function add(values: Record<string, string>, table = REQUESTS, wait = 100): Promise<unknown> {
  const outcome = hub.addRow(table, values).then(
    () => null,
    (error: unknown) => error,
  );
  await vi.advanceTimersByTimeAsync(wait);
  return outcome;
}

beforeEach(async () => {
  vi.useFakeTimers();
  server = new MemoryServer();
  server.table(REQUESTS, { id: TEXT, usersTopic: TEXT, action: TEXT }, []);
  server.inputs.add(REQUESTS);
  hub = new TableHub(server.login, { base: 500, cap: 5_000, random: () => 1 });
  const signedIn = hub.signIn('secret');
  await vi.advanceTimersByTimeAsync(50);
  await signedIn;
});

afterEach(() => {
  vi.useRealTimers();
});

describe('TableHub.addRow', () => {
  it('adds the row with null for what is left out, and closes the table', async () => {
    expect(await add({ id: 'a', usersTopic: 'users' })).toBeNull();
    expect(server.tables.get(REQUESTS)!.rows).toEqual([
      { id: 'a', usersTopic: 'users', action: null },
    ]);
    expect(server.open()).toHaveLength(0);
  });

  it('sends nothing while there is no session, and nothing later', async () => {
    server.crash();
    expect(await add({ id: 'a' })).toBeInstanceOf(NotConnectedError);
    server.up = true;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(server.tables.get(REQUESTS)!.rows).toEqual([]);
  });

  it('says that a column is missing', async () => {
    expect(await add({ id: 'a', color: 'red' })).toBeInstanceOf(MissingColumnError);
    expect(server.open()).toHaveLength(0);
  });

  it('says that a table takes no rows', async () => {
    server.inputs.clear();
    const error = await add({ id: 'a' });
    expect(error).toBeInstanceOf(RowRefusedError);
    expect(reasonOf(error)).toBe(
      'Table swap_requests did not take the row: Table is not an InputTable',
    );
    expect(server.open()).toHaveLength(0);
  });

  it('says why the server refuses a row or a table', async () => {
    server.refusal = 'a key twice';
    expect(reasonOf(await add({ id: 'a' }))).toBe(
      'Table swap_requests did not take the row: a key twice',
    );
    expect(await add({ id: 'a' }, 'gone')).toBeInstanceOf(RowRefusedError);
  });

  it('gives up on a server that does not answer, and closes the table', async () => {
    server.frozen = true;
    expect(await add({ id: 'a' }, REQUESTS, ADD_TIMEOUT + 100)).toBeInstanceOf(TimedOutError);
    expect(server.open()).toHaveLength(0);
  });

  it('closes a table that comes too late and adds nothing to it', async () => {
    server.delay = ADD_TIMEOUT + 1_000;
    expect(await add({ id: 'a' }, REQUESTS, ADD_TIMEOUT + 100)).toBeInstanceOf(TimedOutError);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(server.tables.get(REQUESTS)!.rows).toEqual([]);
    expect(server.open()).toHaveLength(0);
  });
});

import { closeQuietly } from './close-quietly';
import { DeephavenError, MissingColumnError, reasonOf, RowRefusedError } from './errors';
import type { RemoteTable, Session } from './remote';
import { withTimeout } from './with-timeout';

/** The cells of a row by column; what is left out is null. */
export type RowValues = Readonly<Record<string, string | number | null>>;

/** How long each step may take; the JS API gives up on a missing table after 10 s. */
export const ADD_TIMEOUT = 15_000;

/**
 * Adds a row to the input table of that name and lets go of the table. After a `TimedOutError`, or a
 * connection that broke on the way, the row may have arrived all the same.
 */
export async function addRow(session: Session, name: string, values: RowValues): Promise<void> {
  const opened = session.openTable(name);
  const table = await withTimeout(opened, ADD_TIMEOUT, `Table ${name}`, closeQuietly).catch(
    (error: unknown) => refuse(name, error),
  );
  try {
    const row = fullRow(table, name, values);
    const input = await withTimeout(table.inputTable(), ADD_TIMEOUT, `Table ${name}`);
    await withTimeout(input.addRow(row), ADD_TIMEOUT, `Table ${name}`);
  } catch (error) {
    refuse(name, error);
  } finally {
    closeQuietly(table);
  }
}

/** The row with every column of the table, since the JS API reads them all. */
function fullRow(table: RemoteTable, name: string, values: RowValues): Record<string, unknown> {
  const columns = table.columns.map((column) => column.name);
  const unknown = Object.keys(values).find((column) => !columns.includes(column));
  if (unknown !== undefined) {
    throw new MissingColumnError(name, unknown);
  }
  return Object.fromEntries(columns.map((column) => [column, values[column] ?? null]));
}

/** Throws what was thrown, as one of our own errors. */
function refuse(name: string, error: unknown): never {
  throw error instanceof DeephavenError ? error : new RowRefusedError(name, reasonOf(error));
}

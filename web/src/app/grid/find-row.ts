import type { TableQuery } from '../deephaven/query';
import type { TableHub } from '../deephaven/table-hub';
import { keyReader, readInChunks } from './chunk-reader';

/** How many rows are looked at, and how many at a time. */
export const FIND_LIMIT = 100_000;
const CHUNK = 5_000;

/**
 * Finds the place of the row with that key among the first rows of a query; only the key's columns
 * are read. Calls back once, with null if it is not there; returns a function that stops.
 */
export function findRow(
  hub: Pick<TableHub, 'subscribe'>,
  query: TableQuery,
  key: readonly string[],
  wanted: readonly string[],
  found: (row: number | null) => void,
): () => void {
  const text = wanted.join('\u0000');
  const { table, sort, filters } = query;
  return readInChunks(hub, { table, sort, filters, columns: key }, CHUNK, FIND_LIMIT, {
    rows: ({ columns, rows, first }) => {
      const read = keyReader(columns, key);
      const at = read ? rows.findIndex((row) => read(row) === text) : -1;
      if (at >= 0) {
        found(first + at);
      }
      return at < 0;
    },
    done: () => found(null),
    failed: () => found(null),
  });
}

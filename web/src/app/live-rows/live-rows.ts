import type { Cell } from '../deephaven/decode';
import type { FeedState, Snapshot } from '../deephaven/feed';
import type { TableQuery } from '../deephaven/query';
import type { TableHub } from '../deephaven/table-hub';
import { readRecords, type RecordReader } from './read-records';

/** The first rows of a table as records, and where the subscription stands. */
export interface LiveRows<T> {
  readonly rows: readonly T[];
  /** Rows in the whole table. */
  readonly total: number;
  readonly state: FeedState;
  /** Whether the table has been read, now or before a connection was lost. */
  readonly known: boolean;
  /** The generation of the rows, for a query of a flow; null as long as there are none. */
  readonly generation: Cell;
}

/** Before anything is known. */
export const NO_ROWS: LiveRows<never> = {
  rows: [],
  total: 0,
  state: { kind: 'loading' },
  known: false,
  generation: null,
};

/** Calls back with the first rows of a query whenever they change; returns unsubscribe. */
export function watchRows<T>(
  hub: Pick<TableHub, 'subscribe'>,
  query: TableQuery,
  count: number,
  read: (reader: RecordReader) => T,
  changed: (rows: LiveRows<T>) => void,
): () => void {
  let rows: LiveRows<T> = NO_ROWS;
  const tell = (change: Partial<LiveRows<T>>) => {
    rows = { ...rows, ...change };
    changed(rows);
  };
  const window = { first: 0, last: count - 1 };
  const subscription = hub.subscribe(query, window, {
    snapshot: (snapshot: Snapshot) =>
      tell({
        rows: readRecords(snapshot, read),
        total: snapshot.total,
        known: true,
        generation: snapshot.generation ?? null,
      }),
    state: (state) => tell({ state }),
  });
  return () => subscription.unsubscribe();
}

/** What to say in place of rows, or null if there are some to show. */
export function noteOf({ rows, state, known }: LiveRows<unknown>, empty: string): string | null {
  if (rows.length > 0) {
    return null;
  }
  if (state.kind === 'failed') {
    return `${state.reason} Trying again.`;
  }
  return known ? empty : 'Loading…';
}

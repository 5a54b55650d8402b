import type { Cell, ColumnInfo, Row } from '../deephaven/decode';
import type { FeedState, Snapshot } from '../deephaven/feed';
import type { TableQuery } from '../deephaven/query';
import type { Subscription, TableHub } from '../deephaven/table-hub';

/** Some rows of a table that is read from its first row on. */
export interface Chunk {
  readonly columns: readonly ColumnInfo[];
  /** The index of the first row. */
  readonly first: number;
  readonly rows: readonly Row[];
  /** Rows in the whole table. */
  readonly total: number;
}

/** Receives the chunks of a table. */
export interface ChunkSink {
  /** The next rows; false ends the reading. */
  rows(chunk: Chunk): boolean;
  /** All rows up to the limit have been read. */
  done(): void;
  /** The table cannot be read. */
  failed(reason: string): void;
}

// Viewports with the same query are shared and fetch the windows of all as one; a reader moves
// through the whole table, so its query must be nobody else's. The interval makes it so.
const INTERVAL = 250;
let readers = 0;

/**
 * Reads a table in chunks, in its order, until the limit or the end; returns a function that stops.
 * Each chunk is as the table was when it was read: a table that changes meanwhile may show a row
 * twice, or not at all. Between two chunks the page gets its turn.
 */
export function readInChunks(
  hub: Pick<TableHub, 'subscribe'>,
  query: TableQuery,
  size: number,
  limit: number,
  sink: ChunkSink,
): () => void {
  const windowFrom = (first: number) => ({ first, last: Math.min(first + size, limit) - 1 });
  let next = 0;
  let ended = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    ended = true;
    clearTimeout(timer);
    subscription.unsubscribe();
  };
  const take = ({ columns, first, rows, total }: Snapshot) => {
    const found = first <= next ? rows.slice(next - first) : [];
    const read = found.slice(0, limit - next);
    const end = Math.min(limit, total);
    if (read.length === 0 && next < end) {
      return; // Rows of the window before; those asked for are on their way.
    }
    const chunk = { columns, first: next, rows: read, total };
    next += read.length;
    const goesOn = read.length === 0 || sink.rows(chunk);
    if (ended) {
      return;
    }
    if (!goesOn) {
      stop();
    } else if (next >= end) {
      stop();
      sink.done();
    } else {
      subscription.moveTo(windowFrom(next));
    }
  };
  const subscription: Subscription = hub.subscribe(
    { ...query, interval: INTERVAL + (readers++ % 1_000) },
    windowFrom(0),
    {
      snapshot: (snapshot) => {
        clearTimeout(timer);
        timer = setTimeout(() => !ended && take(snapshot));
      },
      state: (state: FeedState) => {
        if (state.kind === 'failed' && !ended) {
          stop();
          sink.failed(state.reason);
        }
      },
    },
  );
  return stop;
}

/** What identifies a row: the texts of its key cells; null unless all of them are there. */
export function keyReader(
  columns: readonly ColumnInfo[],
  key: readonly string[],
): ((row: Row) => string) | null {
  const indexes = key.map((name) => columns.findIndex((column) => column.name === name));
  if (indexes.length === 0 || indexes.includes(-1)) {
    return null;
  }
  return (row) => keyText(indexes.map((index) => row[index] ?? null));
}

/** The cells of a key as one text. */
export function keyText(cells: readonly Cell[]): string {
  return cells.map(String).join('\u0000');
}

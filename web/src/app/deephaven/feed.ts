import type { Cell, ColumnInfo, Row } from './decode';
import type { RowWindow } from './query';

/** Rows of a table as they were at one update. */
export interface Snapshot {
  readonly columns: readonly ColumnInfo[];
  /** The index of the first row. */
  readonly first: number;
  readonly rows: readonly Row[];
  /** Rows in the whole table, after the filters. */
  readonly total: number;
  /** The generation of the rows, for a query of a flow; null when there are none. */
  readonly generation?: Cell;
}

/** Where a subscription stands. */
export type FeedState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'live' }
  | { readonly kind: 'reconnecting' }
  | { readonly kind: 'failed'; readonly reason: string; readonly retryAt: number };

/** Receives rows and states. */
export interface Listener {
  snapshot(snapshot: Snapshot): void;
  state(state: FeedState): void;
}

/** One who watches a viewport, and the rows they want. */
export interface Member {
  window: RowWindow;
  readonly listener: Listener;
}

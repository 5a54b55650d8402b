import type { Cell } from './decode';
import type { FeedState, Listener, Snapshot } from './feed';
import type { RowWindow, TableQuery } from './query';

/** What is watched of the catalogue: the number of the handle behind each name. */
export const HANDLES: TableQuery = {
  table: 'catalogue',
  sort: [],
  filters: [],
  columns: ['table', 'handle'],
};
/** More tables than a server has. */
export const ALL_TABLES: RowWindow = { first: 0, last: 9_999 };

/**
 * Tells which tables were published again under their names, because their columns changed. A
 * handle from before goes on showing the old rows, so whoever has one must attach again.
 */
export class ReplacedTables implements Listener {
  private handles = new Map<Cell, Cell>();

  constructor(private readonly replaced: (table: Cell) => void) {}

  snapshot({ rows }: Snapshot): void {
    const before = this.handles;
    this.handles = new Map(rows.map(([table = null, handle = null]) => [table, handle]));
    this.handles.forEach((handle, table) => {
      if (before.has(table) && before.get(table) !== handle) {
        this.replaced(table);
      }
    });
  }

  /** After an outage everything is attached again anyway, and handles are counted anew. */
  state({ kind }: FeedState): void {
    if (kind !== 'live') {
      this.handles.clear();
    }
  }
}

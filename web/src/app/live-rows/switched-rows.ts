import type { TableQuery } from '../deephaven/query';
import { queryKey } from '../deephaven/query';
import type { TableHub } from '../deephaven/table-hub';
import { NO_ROWS, watchRows, type LiveRows } from './live-rows';
import type { RecordReader } from './read-records';

/** How rows are read, and what is shown between two queries. */
export interface SwitchedRowsOptions<T> {
  /** How many rows, from the first, unless a query says so. */
  readonly count: number;
  readonly read: (reader: RecordReader) => T;
  /**
   * Whether the rows of the query before stay until those of the next are there, so that nothing
   * flickers; their state is `loading` then. They go if the next query fails.
   */
  readonly keep: boolean;
}

/** The first rows of a query that may be replaced by another one. */
export class SwitchedRows<T> {
  private key: string | null = null;
  private stopOld: () => void = () => undefined;
  private shown: LiveRows<T> = NO_ROWS;

  constructor(
    private readonly hub: Pick<TableHub, 'subscribe'>,
    private readonly options: SwitchedRowsOptions<T>,
    private readonly changed: (rows: LiveRows<T>) => void,
  ) {}

  /** Watches another query, or more rows of it; none with null. */
  watch(query: TableQuery | null, count = this.options.count): void {
    const key = query && `${count} ${queryKey(query)}`;
    if (key === this.key) {
      return;
    }
    this.key = key;
    const stopOld = this.stopOld;
    const { read } = this.options;
    this.show(this.options.keep && query ? { ...this.shown, state: NO_ROWS.state } : NO_ROWS);
    this.stopOld = query
      ? watchRows(this.hub, query, count, read, (rows) => this.take(rows))
      : () => undefined;
    // Only now, so that a viewport which the new query shares with somebody else stays open.
    stopOld();
  }

  /** Lets go. */
  stop(): void {
    this.stopOld();
  }

  private take(rows: LiveRows<T>): void {
    const waits = !rows.known && rows.state.kind !== 'failed';
    this.show(waits ? { ...this.shown, state: rows.state } : rows);
  }

  private show(rows: LiveRows<T>): void {
    this.shown = rows;
    this.changed(rows);
  }
}

/** A test on one column, as data: nothing in it is ever read as code. */
export type Filter =
  /** The cells that read as this text, whatever their type; `isNot` are all others. */
  | { readonly column: string; readonly op: 'is' | 'isNot'; readonly text: string }
  | { readonly column: string; readonly op: 'contains'; readonly text: string }
  | {
      readonly column: string;
      readonly op: 'eq' | 'gt' | 'lt' | 'ge' | 'le';
      readonly value: number;
    }
  | {
      readonly column: string;
      readonly op: 'between';
      readonly low: number;
      readonly high: number;
    }
  | { readonly column: string; readonly op: 'oneOf'; readonly values: readonly FilterCell[] }
  | { readonly column: string; readonly op: 'empty' | 'filled' }
  | {
      readonly column: string;
      readonly op: 'time';
      /** Epoch milliseconds, included; null for no limit. */
      readonly from: number | null;
      /** Epoch milliseconds, not included; null for no limit. */
      readonly to: number | null;
    };

/** A value to look for; null is an empty cell. */
export type FilterCell = string | number | boolean | null;

/** An order by one column. */
export interface Sort {
  readonly column: string;
  readonly direction: 'asc' | 'desc';
}

/** What a viewport shows: a table, in an order, through filters, some of its columns. */
export interface TableQuery {
  readonly table: string;
  readonly sort: readonly Sort[];
  readonly filters: readonly Filter[];
  /** The columns to send; all of them when left out. */
  readonly columns?: readonly string[];
  /**
   * Asks for the different values of this column, of the rows that pass the filters, instead of the
   * rows; it is then the only column.
   */
  readonly distinct?: string;
  /**
   * The flow it is a view of: viewports with the same one change generation together. Their table
   * has the column `generation`, which is read for that and is not part of the rows.
   */
  readonly together?: string;
  /** How often the server may send changes, in milliseconds; as fast as for a grid when left out. */
  readonly interval?: number;
}

/** Rows from first to last, both included. */
export interface RowWindow {
  readonly first: number;
  readonly last: number;
  /** How many of them are seen at once; one when left out. */
  readonly page?: number;
}

/** A text that is the same for two queries that can share a viewport. */
export function queryKey(query: TableQuery): string {
  const { table, sort, filters, columns, distinct, together, interval } = query;
  return JSON.stringify([
    table,
    sort,
    filters,
    columns ?? null,
    distinct ?? null,
    together ?? null,
    interval ?? null,
  ]);
}

/** Whether two windows are the same rows. */
export function sameWindow(a: RowWindow | null, b: RowWindow | null): boolean {
  return a?.first === b?.first && a?.last === b?.last;
}

/** The smallest window that holds all the given ones. */
export function hull(windows: readonly RowWindow[]): RowWindow {
  return {
    first: Math.min(...windows.map((window) => window.first)),
    last: Math.max(...windows.map((window) => window.last)),
    page: Math.max(...windows.map(pageOf)),
  };
}

/** Whether a table of that size has rows, but ends before they fill the first page of a window. */
export function fallsShort(window: RowWindow, total: number): boolean {
  return total > 0 && total - window.first < Math.min(pageOf(window), total);
}

/** The window, or as many rows up to the end of a table of that size if it would fall short. */
export function within(window: RowWindow, total: number): RowWindow {
  if (!fallsShort(window, total)) {
    return window;
  }
  const rows = window.last - window.first + 1;
  const first = Math.max(0, total - rows);
  return { ...window, first, last: first + rows - 1 };
}

function pageOf({ page = 1 }: RowWindow): number {
  return page;
}

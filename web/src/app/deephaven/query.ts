/** A test on one column, as data: nothing in it is ever read as code. */
export type Filter =
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
    };

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
}

/** Rows from first to last, both included. */
export interface RowWindow {
  readonly first: number;
  readonly last: number;
}

/** A text that is the same for two queries that can share a viewport. */
export function queryKey(query: TableQuery): string {
  return JSON.stringify([query.table, query.sort, query.filters, query.columns ?? null]);
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
  };
}

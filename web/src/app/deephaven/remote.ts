/**
 * The part of the Deephaven JS API that the hub uses, as narrow interfaces. The real objects fit
 * them as they are, and so does the in-memory server of the tests.
 */

/** A value of the JS API in a filter; built by the API, never from a formula. */
export interface RemoteFilterValue {
  eq(term: RemoteFilterValue): RemoteFilter;
  greaterThan(term: RemoteFilterValue): RemoteFilter;
  lessThan(term: RemoteFilterValue): RemoteFilter;
  greaterThanOrEqualTo(term: RemoteFilterValue): RemoteFilter;
  lessThanOrEqualTo(term: RemoteFilterValue): RemoteFilter;
  containsIgnoreCase(term: RemoteFilterValue): RemoteFilter;
  in(terms: RemoteFilterValue[]): RemoteFilter;
  isTrue(): RemoteFilter;
  isFalse(): RemoteFilter;
  isNull(): RemoteFilter;
}

/** A condition on a table's rows. */
export interface RemoteFilter {
  and(...filters: RemoteFilter[]): RemoteFilter;
  or(...filters: RemoteFilter[]): RemoteFilter;
  not(): RemoteFilter;
}

/** An order of a table's rows. */
export interface RemoteSort {
  asc(): RemoteSort;
  desc(): RemoteSort;
}

/** A column of a table on the server. */
export interface RemoteColumn {
  readonly name: string;
  readonly type: string;
  sort(): RemoteSort;
  filter(): RemoteFilterValue;
}

/** A row of a viewport. */
export interface RemoteRow {
  get(column: RemoteColumn): unknown;
}

/** A moment as the JS API holds it; prints nanoseconds since the epoch. */
export interface RemoteDate {
  toString(): string;
}

/** An integer as the JS API holds it, with all of its 64 bits; prints its digits. */
export interface RemoteLong {
  toString(): string;
}

/** The rows that an update event carries. */
export interface RemoteViewport {
  readonly offset: number;
  readonly rows: readonly RemoteRow[];
}

/** An event of the JS API. */
export interface RemoteEvent {
  readonly detail: unknown;
}

/** The side of a table that takes rows from the page. */
export interface RemoteInputTable {
  addRow(row: Record<string, unknown>): Promise<unknown>;
}

/** A table on the server, as the browser holds it. */
export interface RemoteTable {
  readonly columns: RemoteColumn[];
  readonly size: number;
  applySort(sort: RemoteSort[]): unknown;
  applyFilter(filter: RemoteFilter[]): unknown;
  setViewport(
    firstRow: number,
    lastRow: number,
    columns: RemoteColumn[],
    updateIntervalMs: number,
  ): unknown;
  addEventListener(name: string, callback: (event: RemoteEvent) => void): () => void;
  /** A table of its own with the different values of the columns. */
  selectDistinct(columns: RemoteColumn[]): Promise<RemoteTable>;
  /** Fails for a table that takes no rows. */
  inputTable(): Promise<RemoteInputTable>;
  close(): void;
}

/** The static members of the JS API that the hub uses. */
export interface RemoteApi {
  readonly Table: {
    readonly EVENT_UPDATED: string;
    readonly EVENT_SIZECHANGED: string;
    readonly EVENT_DISCONNECT: string;
    readonly EVENT_RECONNECTFAILED: string;
    readonly EVENT_REQUEST_FAILED: string;
  };
  readonly FilterValue: {
    ofString(input: string): RemoteFilterValue;
    ofNumber(input: number | RemoteDate | RemoteLong): RemoteFilterValue;
  };
  readonly DateWrapper: { ofJsDate(date: Date): RemoteDate };
  readonly LongWrapper: { ofString(digits: string): RemoteLong };
}

/** A logged-in connection. */
export interface Session {
  readonly api: RemoteApi;
  /** Asks for a table by the name it is published under. */
  openTable(name: string): Promise<RemoteTable>;
  /** Asks the server something small; fails when the session is over. */
  check(): Promise<unknown>;
  /** Calls back once when the connection or the log-in is gone; returns unsubscribe. */
  onLost(listener: () => void): () => void;
  /** Ends the session; the JS API stops its own attempts to reconnect. */
  close(): void;
}

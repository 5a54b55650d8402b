import type {
  RemoteApi,
  RemoteColumn,
  RemoteEvent,
  RemoteFilter,
  RemoteFilterValue,
  RemoteInputTable,
  RemoteSort,
  RemoteTable,
} from '../remote';
import type { MemoryServer } from './memory-server';

/** A row of a table in memory. */
export type MemoryRow = Record<string, unknown>;

type Test = (row: MemoryRow) => boolean;

class MemoryFilter implements RemoteFilter {
  constructor(readonly test: Test) {}

  and(...filters: MemoryFilter[]): MemoryFilter {
    return new MemoryFilter((row) => [this, ...filters].every((filter) => filter.test(row)));
  }

  or(...filters: MemoryFilter[]): MemoryFilter {
    return new MemoryFilter((row) => [this, ...filters].some((filter) => filter.test(row)));
  }

  not(): MemoryFilter {
    return new MemoryFilter((row) => !this.test(row));
  }
}

class MemoryValue implements RemoteFilterValue {
  constructor(readonly read: (row: MemoryRow) => unknown) {}

  eq = (term: MemoryValue) => new MemoryFilter((row) => this.read(row) === term.read(row));
  greaterThan = (term: MemoryValue) => this.compare(term, (a, b) => a > b);
  lessThan = (term: MemoryValue) => this.compare(term, (a, b) => a < b);
  greaterThanOrEqualTo = (term: MemoryValue) => this.compare(term, (a, b) => a >= b);
  lessThanOrEqualTo = (term: MemoryValue) => this.compare(term, (a, b) => a <= b);
  in = (terms: MemoryValue[]) =>
    new MemoryFilter((row) => terms.some((term) => this.read(row) === term.read(row)));
  isTrue = () => new MemoryFilter((row) => this.read(row) === true);
  isFalse = () => new MemoryFilter((row) => this.read(row) === false);
  isNull = () => new MemoryFilter((row) => (this.read(row) ?? null) === null);
  containsIgnoreCase = (term: MemoryValue) =>
    new MemoryFilter((row) =>
      String(this.read(row))
        .toLowerCase()
        .includes(String(term.read(row)).toLowerCase()),
    );

  /** Null is below every number, as in Deephaven. */
  private compare(term: MemoryValue, holds: (a: number, b: number) => boolean): MemoryFilter {
    return new MemoryFilter((row) =>
      holds(Number(this.read(row) ?? -Infinity), Number(term.read(row))),
    );
  }
}

class MemorySort implements RemoteSort {
  sign = 1;

  constructor(readonly column: string) {}

  asc(): this {
    this.sign = 1;
    return this;
  }

  desc(): this {
    this.sign = -1;
    return this;
  }
}

/** The names of the JS API's events and its filter values. */
export const MEMORY_API: RemoteApi = {
  Table: {
    EVENT_UPDATED: 'updated',
    EVENT_SIZECHANGED: 'sizechanged',
    EVENT_DISCONNECT: 'disconnect',
    EVENT_RECONNECTFAILED: 'reconnectfailed',
    EVENT_REQUEST_FAILED: 'requestfailed',
  },
  FilterValue: {
    ofString: (input) => new MemoryValue(() => input),
    ofNumber: (input) => new MemoryValue(() => input),
  },
  DateWrapper: { ofJsDate: (date) => ({ toString: () => `${date.getTime()}000000` }) },
  LongWrapper: { ofString: (digits) => BigInt(digits) },
};

/** A table handle in memory: answers a viewport a little later, then at every tick. */
export class MemoryTable implements RemoteTable {
  closed = false;
  readonly viewports: [number, number][] = [];
  readonly intervals: number[] = [];
  readonly columns: RemoteColumn[];
  private readonly listeners = new Map<string, Set<(event: RemoteEvent) => void>>();
  private sorts: MemorySort[] = [];
  private filters: MemoryFilter[] = [];
  /** The columns of the newest viewport; to ask a row for another is an error. */
  private sent: readonly RemoteColumn[] = [];
  private toldSize = 0;
  /** How many viewports have not been answered. */
  private unanswered = 0;

  constructor(
    private readonly server: MemoryServer,
    readonly name: string,
    types: Record<string, string>,
    private readonly source: () => MemoryRow[],
  ) {
    this.columns = Object.entries(types).map(([column, type]) => ({
      name: column,
      type,
      sort: () => new MemorySort(column),
      filter: () => new MemoryValue((row) => row[column]),
    }));
  }

  get size(): number {
    return this.rows().length;
  }

  applySort(sorts: MemorySort[]): void {
    this.sorts = sorts;
  }

  applyFilter(filters: MemoryFilter[]): void {
    this.filters = filters;
  }

  setViewport(first: number, last: number, columns: RemoteColumn[], interval: number): void {
    this.viewports.push([first, last]);
    this.intervals.push(interval);
    this.sent = columns;
    this.unanswered++;
    const mute = this.server.mute;
    if (!mute) {
      setTimeout(() => {
        this.unanswered--;
        this.answer(first, last);
      }, this.server.delay);
    }
  }

  addEventListener(name: string, callback: (event: RemoteEvent) => void): () => void {
    const listeners = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, listeners.add(callback));
    return () => listeners.delete(callback);
  }

  async selectDistinct([column]: RemoteColumn[]): Promise<RemoteTable> {
    await this.server.answerTime();
    const name = column?.name ?? '';
    const values = () => [...new Set(this.kept().map((row) => row[name] ?? null))];
    const types = { [name]: column?.type ?? 'java.lang.String' };
    return this.server.handle(this.name, types, () => values().map((value) => ({ [name]: value })));
  }

  async inputTable(): Promise<RemoteInputTable> {
    if (!this.server.inputs.has(this.name)) {
      throw 'Table is not an InputTable';
    }
    return { addRow: (row) => this.addRow(row) };
  }

  close(): void {
    this.closed = true;
  }

  /** Fires an event, as the server would. */
  fire(name: string, detail: unknown = null): void {
    [...(this.listeners.get(name) ?? [])].forEach((callback) => callback({ detail }));
  }

  /** Whether somebody hears an event; the JS API writes some to the console if nobody does. */
  hears(name: string): boolean {
    return (this.listeners.get(name)?.size ?? 0) > 0;
  }

  /** Sends the rows of the newest viewport again, unless its answer is to come and brings them. */
  tick(): void {
    const viewport = this.viewports.at(-1);
    if (viewport && this.unanswered === 0) {
      this.answer(...viewport);
    }
  }

  /** Sends the rows of any window, also one that is no longer wanted; first the size, if it is new. */
  answer(first: number, last: number): void {
    if (this.closed) {
      return;
    }
    if (this.size !== this.toldSize) {
      this.toldSize = this.size;
      this.fire('sizechanged');
    }
    const sent = this.sent;
    const value = (row: MemoryRow, column: RemoteColumn) => {
      if (!sent.includes(column)) {
        throw new Error(`No column ${column.name} in this viewport`);
      }
      return row[column.name] ?? null;
    };
    const rows = this.rows()
      .slice(first, last + 1)
      .map((row) => ({ get: (column: RemoteColumn) => value(row, column) }));
    this.fire('updated', { offset: first, rows });
  }

  private async addRow(row: MemoryRow): Promise<void> {
    await this.server.answerTime();
    if (this.server.refusal !== null) {
      throw this.server.refusal;
    }
    this.source().push(row);
    this.server.touch(this.name);
  }

  private kept(): MemoryRow[] {
    return this.source().filter((row) => this.filters.every((filter) => filter.test(row)));
  }

  private rows(): MemoryRow[] {
    const kept = this.kept();
    for (const { column, sign } of [...this.sorts].reverse()) {
      kept.sort((a, b) => sign * compare(a[column], b[column]));
    }
    return kept;
  }
}

/** Null comes before everything, as in Deephaven. */
function compare(a: unknown, b: unknown): number {
  const [left, right] = [a ?? null, b ?? null];
  if (left === null || right === null) {
    return Number(left !== null) - Number(right !== null);
  }
  return (
    Number((left as number) > (right as number)) - Number((left as number) < (right as number))
  );
}

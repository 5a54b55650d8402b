/** How long a server that has just started may take to tell what it has, in milliseconds. */
export const GRACE = 60_000;

/**
 * Rows that outlast a restart of the server: it begins with empty tables, and what is not there yet
 * was not removed. A row that was there in the same session and is gone, is gone at once.
 */
export class HeldRows<T> {
  private rows: readonly T[] = [];
  private pending: readonly T[] = [];
  private until = 0;

  constructor(private readonly keyOf: (row: T) => string) {}

  /** Notes that another session begins: until a row comes again, the one before is shown. */
  reconnected(now: number): void {
    this.pending = this.read(now);
    this.rows = [];
    this.until = now + GRACE;
  }

  /** Takes the rows of the table. */
  take(rows: readonly T[]): void {
    const there = new Set(rows.map(this.keyOf));
    this.rows = rows;
    this.pending = this.pending.filter((row) => !there.has(this.keyOf(row)));
  }

  /** The rows to show at a time. */
  read(now: number): readonly T[] {
    return now < this.until ? [...this.rows, ...this.pending] : this.rows;
  }
}

import type { Cell, ColumnInfo, Row } from '../deephaven/decode';
import type { Snapshot } from '../deephaven/feed';
import { formatCell, type Format } from '../format/cell-text';

/** Which way a cell changed. */
export type Change = Trend | 'text';
/** Which way a number went. */
export type Trend = 'up' | 'down';

/** A row as the grid keeps it between updates: values, texts, and when which cell changed. */
export interface RowModel {
  /** What identifies the row; null when the table has no key. */
  readonly key: string | null;
  readonly cells: Row;
  readonly texts: readonly string[];
  /** The cells that changed lately, by column index. */
  readonly changes: ReadonlyMap<number, { readonly change: Change; readonly at: number }>;
  /** Which way each number went when it last changed, by column index. */
  readonly trends: ReadonlyMap<number, Trend>;
}

/** How long a changed cell stays tinted, in milliseconds. */
export const FLASH_TIME = 600;

const NO_CHANGES: RowModel['changes'] = new Map();
const NO_TRENDS: RowModel['trends'] = new Map();

/** The rows of the newest snapshot, matched with the previous ones by key. */
export class RowModels {
  private byKey = new Map<string, RowModel>();
  private columns: readonly ColumnInfo[] = [];
  private keyIndexes: readonly number[] = [];
  /** The models in the order of the rows. */
  rows: readonly RowModel[] = [];
  /** The index of the first row. */
  first = 0;

  constructor(
    private readonly key: readonly string[],
    private readonly formatOf: (column: ColumnInfo) => Format,
  ) {}

  /** Takes over a snapshot; a cell counts as changed only if the row of the same key had another value. */
  merge(snapshot: Snapshot, now: number): void {
    if (snapshot.columns !== this.columns) {
      this.adopt(snapshot.columns);
    }
    const formats = this.columns.map(this.formatOf);
    const byKey = new Map<string, RowModel>();
    this.rows = snapshot.rows.map((cells) => {
      const key = this.keyOf(cells);
      // Should a key come twice, only its first row can be compared.
      const known = key !== null && !byKey.has(key);
      const model = nextModel(key, cells, known ? this.byKey.get(key) : undefined, formats, now);
      if (known) {
        byKey.set(key, model);
      }
      return model;
    });
    this.first = snapshot.first;
    this.byKey = byKey;
  }

  /** The model of a row, if it is loaded. */
  at(index: number): RowModel | undefined {
    return this.rows[index - this.first];
  }

  /** The index of the row with that key, if it is loaded. */
  indexOf(key: string): number | null {
    const model = this.byKey.get(key);
    return model ? this.first + this.rows.indexOf(model) : null;
  }

  /** Forgets everything: the next rows are new, not changed. */
  clear(): void {
    this.byKey = new Map();
    this.rows = [];
  }

  private adopt(columns: readonly ColumnInfo[]): void {
    const same =
      columns.length === this.columns.length &&
      columns.every((column, index) => column.name === this.columns[index]?.name);
    this.columns = columns;
    if (!same) {
      // The cells of the old rows stand in another order, so they cannot be compared.
      this.byKey = new Map();
      const indexes = this.key.map((name) => columns.findIndex((column) => column.name === name));
      this.keyIndexes = indexes.includes(-1) ? [] : indexes;
    }
  }

  private keyOf(cells: Row): string | null {
    if (this.keyIndexes.length === 0) {
      return null;
    }
    return this.keyIndexes.map((index) => String(cells[index])).join('\u0000');
  }
}

function nextModel(
  key: string | null,
  cells: Row,
  previous: RowModel | undefined,
  formats: readonly Format[],
  now: number,
): RowModel {
  if (!previous) {
    return {
      key,
      cells,
      texts: cells.map((cell, index) => formatCell(cell, formats[index] ?? 'text')),
      changes: NO_CHANGES,
      trends: NO_TRENDS,
    };
  }
  const changed: number[] = [];
  cells.forEach((cell, index) => {
    if (cell !== previous.cells[index]) {
      changed.push(index);
    }
  });
  if (changed.length === 0) {
    return previous;
  }
  const texts = [...previous.texts];
  const changes = new Map([...previous.changes].filter(([, { at }]) => now - at < FLASH_TIME));
  const trends = new Map(previous.trends);
  for (const index of changed) {
    const cell = cells[index] ?? null;
    texts[index] = formatCell(cell, formats[index] ?? 'text');
    const change = directionOf(previous.cells[index] ?? null, cell, formats[index]);
    changes.set(index, { change, at: now });
    if (change === 'text') {
      trends.delete(index);
    } else {
      trends.set(index, change);
    }
  }
  return { key, cells, texts, changes, trends };
}

function directionOf(before: Cell, after: Cell, format: Format | undefined): Change {
  if (format !== 'time' && typeof before === 'number' && typeof after === 'number') {
    return after > before ? 'up' : 'down';
  }
  return 'text';
}

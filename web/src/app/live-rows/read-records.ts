import type { Cell } from '../deephaven/decode';
import type { Snapshot } from '../deephaven/feed';

/** The values of a row by column. */
export type Cells = Readonly<Record<string, Cell>>;

/** Reads the cells of one row by column; a column that is not there reads as an empty cell. */
export interface RecordReader {
  /** All values as they are, by column. */
  cells(): Cells;
  /** A text; an empty cell is an empty text. */
  text(column: string): string;
  /** A number, or null for an empty cell. */
  number(column: string): number | null;
  /** Epoch milliseconds of a time or of an ISO text, or null for an empty cell. */
  time(column: string): number | null;
}

/** Reads every row of a snapshot. */
export function readRecords<T>(
  { columns, rows }: Snapshot,
  read: (reader: RecordReader) => T,
): T[] {
  const places = new Map(columns.map(({ name }, index) => [name, index]));
  return rows.map((row) => {
    const cell = (column: string): Cell => row[places.get(column) ?? -1] ?? null;
    return read({
      cells: () => Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null])),
      text: (column) => String(cell(column) ?? ''),
      number: (column) => (cell(column) === null ? null : Number(cell(column))),
      time: (column) => {
        const value = cell(column);
        const epoch = typeof value === 'number' ? value : Date.parse(String(value));
        return Number.isNaN(epoch) ? null : epoch;
      },
    });
  });
}

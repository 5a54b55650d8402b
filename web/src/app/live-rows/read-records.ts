import type { Cell } from '../deephaven/decode';
import type { Snapshot } from '../deephaven/feed';

/** Reads the cells of one row by column; a column that is not there reads as an empty cell. */
export interface RecordReader {
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

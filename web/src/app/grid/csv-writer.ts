import { exportCell } from '../format/cell-text';
import { toCsv } from './export-text';
import type { ExportColumn, ExportWriter } from './export-writer';

/** Writes CSV: a line of column names, then a line for each row. */
export function csvWriter(columns: readonly ExportColumn[]): ExportWriter {
  const parts = [toCsv([columns.map(({ name }) => name)])];
  return {
    add: (rows) => {
      const lines = rows.map((row) =>
        columns.map(({ format }, place) => exportCell(row[place] ?? null, format)),
      );
      parts.push(toCsv(lines));
    },
    finish: () => parts,
  };
}

import type { ColumnInfo, Row } from '../deephaven/decode';
import type { Format } from '../format/cell-text';

/** A column of a file: its name, what its values are, and how a grid writes them. */
export interface ExportColumn extends ColumnInfo {
  readonly format: Format;
}

/** Makes a file of rows that come in parts; both methods throw what cannot be written. */
export interface ExportWriter {
  /** Takes the next rows; their cells are in the order of the file's columns. */
  add(rows: readonly Row[]): void;
  /** The parts of the file, once all rows are in. */
  finish(): BlobPart[];
}

/** Begins a file with these columns. */
export type NewWriter = (columns: readonly ExportColumn[]) => ExportWriter;

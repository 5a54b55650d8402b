import { csvWriter } from './csv-writer';
import type { NewWriter } from './export-writer';

/** The kinds of files that a grid can be saved as. */
export type FileKind = 'csv' | 'parquet';

/** What a viewer wants saved: the rows on screen, which are always CSV, or all of them. */
export type SaveChoice =
  { readonly rows: 'visible' } | { readonly rows: 'all'; readonly as: FileKind };

/** A kind of file. */
export interface FileType {
  /** What the browser is told that it is. */
  readonly mime: string;
  /** Loads what writes it. */
  readonly load: () => Promise<NewWriter>;
}

/** All kinds of files; what writes Parquet is large, and is loaded when somebody wants it. */
export const FILE_TYPES: Record<FileKind, FileType> = {
  csv: { mime: 'text/csv;charset=utf-8', load: () => Promise.resolve(csvWriter) },
  parquet: {
    mime: 'application/vnd.apache.parquet',
    load: () => import('./parquet-writer').then((file) => file.parquetWriter),
  },
};

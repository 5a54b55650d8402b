import type { Cell, Row } from '../deephaven/decode';
import { reasonOf } from '../deephaven/errors';
import { GENERATION_COLUMN } from '../deephaven/generation-gate';
import type { TableQuery } from '../deephaven/query';
import type { TableHub } from '../deephaven/table-hub';
import { keyReader, readInChunks, type Chunk } from './chunk-reader';
import type { ExportColumn, ExportWriter, NewWriter } from './export-writer';

/** The most rows of an export. */
export const EXPORT_LIMIT = 100_000;
/** Rows fetched at a time. */
const CHUNK = 2_000;
/** How often an export starts over because the table was swapped underneath. */
const RESTARTS = 3;

/** What is exported: the rows of a query, in which columns, and what tells rows apart. */
export interface ExportPlan {
  readonly query: TableQuery;
  readonly columns: readonly ExportColumn[];
  readonly key: readonly string[];
}

/** How far an export is. */
export interface ExportProgress {
  readonly rows: number;
  /** Rows that it will have, as far as known. */
  readonly of: number;
  /** Whether the table has more rows than an export may have. */
  readonly cut: boolean;
}

/** Receives what becomes of an export. */
export interface ExportSink {
  progress(progress: ExportProgress): void;
  /** The file, in parts. */
  done(parts: BlobPart[], progress: ExportProgress): void;
  failed(reason: string): void;
}

/**
 * Gives the rows of a query to a writer, chunk by chunk; returns a function that cancels. No row of
 * a key is in the file twice, and all rows are of one generation: after a swap it starts over, with
 * another writer.
 */
export function exportTable(
  hub: Pick<TableHub, 'subscribe'>,
  { query, columns, key }: ExportPlan,
  newWriter: NewWriter,
  sink: ExportSink,
  limit = EXPORT_LIMIT,
): () => void {
  let cancel: () => void = () => undefined;
  let starts = 0;

  function start(): void {
    const writer = newWriter(columns);
    const seen = new Set<string>();
    let generation: Cell | undefined;
    let progress: ExportProgress = { rows: 0, of: 0, cut: false };
    const isSwapped = (chunk: Chunk) => {
      const index = chunk.columns.findIndex(({ name }) => name === GENERATION_COLUMN);
      const now = query.together === undefined ? null : (chunk.rows[0]?.[index] ?? null);
      const swapped = generation !== undefined && now !== generation;
      generation = now;
      return swapped;
    };
    cancel = readInChunks(hub, exportQuery(query, columns, key), CHUNK, limit, {
      rows: (chunk) => {
        if (isSwapped(chunk)) {
          restart();
          return false;
        }
        const rows = newRows(chunk, columns, key, seen);
        if (!taken(writer, rows)) {
          return false;
        }
        const of = Math.min(chunk.total, limit);
        progress = { rows: progress.rows + rows.length, of, cut: chunk.total > limit };
        sink.progress(progress);
        return true;
      },
      done: () => finish(writer, progress),
      failed: (reason) => sink.failed(reason),
    });
  }

  /** Whether the writer could take the rows; if not, the export has failed. */
  function taken(writer: ExportWriter, rows: readonly Row[]): boolean {
    try {
      writer.add(rows);
      return true;
    } catch (error) {
      sink.failed(reasonOf(error));
      return false;
    }
  }

  function finish(writer: ExportWriter, progress: ExportProgress): void {
    let parts;
    try {
      parts = writer.finish();
    } catch (error) {
      sink.failed(reasonOf(error));
      return;
    }
    sink.done(parts, progress);
  }

  function restart(): void {
    if (++starts > RESTARTS) {
      sink.failed('The table was swapped again and again while it was read. Try again later.');
      return;
    }
    // Not from inside the reading that ends now.
    const timer = setTimeout(start);
    cancel = () => clearTimeout(timer);
  }

  start();
  return () => cancel();
}

/** The query with the columns of the file, and those that tell rows and generations apart. */
function exportQuery(
  { table, sort, filters, together }: TableQuery,
  columns: readonly ExportColumn[],
  key: readonly string[],
): TableQuery {
  const names = [...columns.map(({ name }) => name), ...key];
  // A member of the flow's gate would keep the grids waiting for its large windows.
  const generation = together === undefined ? [] : [GENERATION_COLUMN];
  return { table, sort, filters, columns: [...new Set([...names, ...generation])] };
}

/** The rows of a chunk that have not been seen, with the cells of the file's columns. */
function newRows(
  chunk: Chunk,
  columns: readonly ExportColumn[],
  key: readonly string[],
  seen: Set<string>,
): Row[] {
  const indexes = columns.map(({ name }) => chunk.columns.findIndex((info) => info.name === name));
  const keyOf = keyReader(chunk.columns, key);
  const isNew = (text: string | undefined) =>
    text === undefined || (!seen.has(text) && seen.add(text) !== undefined);
  return chunk.rows
    .filter((row) => isNew(keyOf?.(row)))
    .map((row) => indexes.map((index) => row[index] ?? null));
}

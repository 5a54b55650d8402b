import type { RemoteColumn, RemoteRow } from './remote';

/** What a cell holds: a time is epoch milliseconds, a long beyond 2^53 a bigint, nothing is null. */
export type Cell = string | number | bigint | boolean | null;

/** The values of a row, in the order of its columns. */
export type Row = readonly Cell[];

/** How a column's values are to be understood. */
export type ColumnKind = 'text' | 'integer' | 'decimal' | 'time' | 'flag';

/** A column of a snapshot. */
export interface ColumnInfo {
  readonly name: string;
  readonly kind: ColumnKind;
}

const KINDS: Record<string, ColumnKind> = {
  byte: 'integer',
  short: 'integer',
  int: 'integer',
  long: 'integer',
  'java.math.BigInteger': 'integer',
  float: 'decimal',
  double: 'decimal',
  'java.math.BigDecimal': 'decimal',
  boolean: 'flag',
  'java.lang.Boolean': 'flag',
  'java.time.Instant': 'time',
  'java.time.ZonedDateTime': 'time',
  'io.deephaven.time.DateTime': 'time',
};

/** The kind of a Deephaven column type; anything unknown is shown as text. */
export function kindOf(type: string): ColumnKind {
  return KINDS[type] ?? 'text';
}

/** Describes the columns of a snapshot. */
export function describe(columns: readonly RemoteColumn[]): ColumnInfo[] {
  return columns.map((column) => ({ name: column.name, kind: kindOf(column.type) }));
}

/** A value of the JS API as a plain one. */
export function decodeCell(value: unknown, kind: ColumnKind): Cell {
  if (value === null || value === undefined) {
    return null;
  }
  switch (kind) {
    case 'time':
      // A DateWrapper prints nanoseconds since the epoch; the fraction of a millisecond is kept.
      return Number(String(value)) / 1e6;
    case 'integer':
      return decodeInteger(value);
    case 'decimal':
      return typeof value === 'number' ? value : Number(String(value));
    case 'flag':
      return Boolean(value);
    case 'text':
      return String(value);
  }
}

/** Decodes the rows of a viewport. */
export function decodeRows(
  rows: readonly RemoteRow[],
  columns: readonly RemoteColumn[],
  infos: readonly ColumnInfo[],
): Row[] {
  return rows.map((row) =>
    columns.map((column, index) => decodeCell(row.get(column), infos[index]?.kind ?? 'text')),
  );
}

function decodeInteger(value: unknown): Cell {
  if (typeof value === 'number') {
    return value;
  }
  const text = String(value);
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

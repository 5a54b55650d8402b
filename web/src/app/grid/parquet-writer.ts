import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import type { Cell, ColumnKind, Row } from '../deephaven/decode';
import type { ExportColumn, ExportWriter } from './export-writer';

/** Rows of a row group: encoding more at once would hold up the page. */
const ROW_GROUP = 5_000;

const TYPES: Record<ColumnKind, Pick<SchemaElement, 'type' | 'converted_type'>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  decimal: { type: 'DOUBLE' },
  // Times have fractions of a millisecond.
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MICROS' },
  flag: { type: 'BOOLEAN' },
};

/**
 * Writes Parquet: the values themselves, not how a grid shows them. A row group is encoded as soon
 * as it is full, so memory holds the file and one row group.
 */
export function parquetWriter(columns: readonly ExportColumn[]): ExportWriter {
  const bytes = new ByteWriter();
  const file = new ParquetWriter({ writer: bytes, schema: schemaOf(columns) });
  let group: Row[] = [];
  const encode = (rows: readonly Row[]) => {
    const columnData = columns.map(({ name, kind }, place) => ({
      name,
      data: rows.map((row) => valueOf(row[place] ?? null, kind, name)),
    }));
    // It works at once, and returns a promise only for a target that does not.
    void file.write({ columnData, rowGroupSize: ROW_GROUP });
  };
  return {
    add: (rows) => {
      group.push(...rows);
      while (group.length >= ROW_GROUP) {
        encode(group.slice(0, ROW_GROUP));
        group = group.slice(ROW_GROUP);
      }
    },
    finish: () => {
      encode(group);
      void file.finish();
      return [bytes.getBytes()];
    },
  };
}

function schemaOf(columns: readonly ExportColumn[]): SchemaElement[] {
  return [
    { name: 'root', num_children: columns.length },
    ...columns.map(({ name, kind }): SchemaElement => ({
      name,
      repetition_type: 'OPTIONAL',
      ...TYPES[kind],
    })),
  ];
}

/** A cell as its type in the file wants it. */
function valueOf(cell: Cell, kind: ColumnKind, name: string): Cell {
  if (cell === null) {
    return null;
  }
  switch (kind) {
    case 'text':
      return String(cell);
    case 'integer':
      return int64(BigInt(cell), name);
    case 'decimal':
      return Number(cell);
    case 'time':
      return BigInt(Math.round(Number(cell) * 1_000));
    case 'flag':
      return Boolean(cell);
  }
}

function int64(value: bigint, name: string): bigint {
  if (BigInt.asIntN(64, value) !== value) {
    throw new RangeError(
      `Column ${name} holds ${value}, which is too large for Parquet. Save as CSV instead.`,
    );
  }
  return value;
}

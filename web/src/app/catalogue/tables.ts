import type { Format } from '../format/cell-text';
import type { RecordReader } from '../live-rows/read-records';
import { formatOf } from './cards';

/** How a column of a table is shown. */
export interface ColumnLook {
  readonly name: string;
  readonly label: string;
  /** By its type when left out. */
  readonly format: Format | undefined;
  readonly tone: 'sign' | 'change' | undefined;
  /** Pixels in a grid. */
  readonly width: number | undefined;
  readonly type: 'string' | 'int' | 'long' | 'double' | 'boolean' | 'time';
  /** How the values of several rows make one; undefined if they do not. */
  readonly combine: 'sum' | 'min' | 'max' | undefined;
}

/** A table of a flow. */
export interface TableInfo {
  readonly flow: string;
  readonly table: string;
  readonly title: string;
  /** The operator that makes it. */
  readonly kind: string;
  /** The columns that tell its rows apart. */
  readonly key: readonly string[];
  /** The column in which rows over all of its values are called `All`; empty if there are none. */
  readonly rollup: string;
  readonly columns: readonly ColumnLook[];
}

/** What rows over all values of a column are called in it. */
export const ALL = 'All';

/** The columns that every table has, as people read them. */
const OWN: Readonly<Record<string, { label: string; width: number }>> = {
  ts: { label: 'Time', width: 110 },
  topic: { label: 'Topic', width: 110 },
  partition: { label: 'Partition', width: 84 },
  offset: { label: 'Offset', width: 96 },
};

/** Reads a row of `catalogue`. */
export function readTable(row: RecordReader): TableInfo {
  return {
    flow: row.text('flow'),
    table: row.text('table'),
    title: row.text('title'),
    kind: row.text('kind'),
    key: row.text('key').split(',').filter(Boolean),
    rollup: row.text('rollup'),
    columns: readColumns(row.text('columns')),
  };
}

/** The look of a column; one that is not in the catalogue is shown by its name. */
export function lookOf(table: TableInfo | undefined, column: string): ColumnLook {
  return (
    table?.columns.find(({ name }) => name === column) ??
    look({
      name: column,
      label: column,
      format: '',
      tone: '',
      width: 0,
      type: 'string',
      combine: '',
    })
  );
}

/** Whether a table has a column. */
export function hasColumn(table: TableInfo | undefined, column: string): boolean {
  return table?.columns.some(({ name }) => name === column) ?? false;
}

interface Declared {
  readonly name: string;
  readonly label: string;
  readonly format: string;
  readonly tone: string;
  readonly width: number;
  readonly type: ColumnLook['type'];
  readonly combine: string;
}

function readColumns(text: string): ColumnLook[] {
  return (JSON.parse(text || '[]') as Declared[]).map(look);
}

function look({ name, label, format, tone, width, type, combine }: Declared): ColumnLook {
  const own = label === name ? OWN[name] : undefined;
  return {
    name,
    label: own?.label ?? label,
    format: formatOf(format),
    tone: (tone || undefined) as ColumnLook['tone'],
    width: width || own?.width || undefined,
    type,
    combine: (combine || undefined) as ColumnLook['combine'],
  };
}

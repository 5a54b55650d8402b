import type { ColumnKind } from '../deephaven/decode';
import type { Sort } from '../deephaven/query';
import type { Format } from '../format/cell-text';

/** How one column is shown. */
export interface ColumnSpec {
  readonly name: string;
  readonly label: string;
  /** Written by its kind when left out. */
  readonly format?: Format;
  /** Pixels; by its kind when left out. */
  readonly width?: number;
  /** Whether it is hidden until the viewer asks for it. */
  readonly hidden?: boolean;
  /** What its numbers are coloured by: their last change, or whether they are above zero. */
  readonly tone?: 'change' | 'sign';
}

/** A live table on a screen: which one, what identifies a row, which columns, in which order. */
export interface TableSpec {
  /** The name under which Deephaven publishes it. */
  readonly table: string;
  /** The columns that identify a row; without them nothing flashes. */
  readonly key: readonly string[];
  /** The columns in order; all of the table's when left out. */
  readonly columns?: readonly ColumnSpec[];
  /** The order at first. */
  readonly sort?: readonly Sort[];
  /** The flow it is a view of, if it is one: grids of one flow show a swap in the same frame. */
  readonly together?: string;
  /** What stands in place of rows when the table has none. */
  readonly empty?: string;
}

/** The column that holds the producer's clock. */
export const TIME_COLUMN = 'ts';
/** The column that holds the topic a row came from. */
export const TOPIC_COLUMN = 'topic';

const WIDTHS: Record<Format, number> = {
  text: 150,
  integer: 96,
  decimal: 120,
  money: 120,
  price: 96,
  signed: 110,
  percent: 90,
  compact: 90,
  bytes: 90,
  date: 96,
  time: 112,
  flag: 70,
};

/** The width of a column in pixels. */
export function widthOf(spec: ColumnSpec, kind: ColumnKind): number {
  return spec.width ?? WIDTHS[spec.format ?? kind];
}

/** The columns a query must bring: the visible ones, the key, the clock and the topic. */
export function neededColumns(
  spec: TableSpec,
  hidden: ReadonlySet<string>,
): readonly string[] | undefined {
  const all = spec.columns?.map((column) => column.name);
  return all?.filter(
    (name) =>
      !hidden.has(name) || spec.key.includes(name) || name === TIME_COLUMN || name === TOPIC_COLUMN,
  );
}

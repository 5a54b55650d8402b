import type { BarsCard, GridCard, LinesCard, ListCard, TileCard } from '../../catalogue/cards';
import type { ColumnLook, TableInfo } from '../../catalogue/tables';

/** How a column is shown, with what is not said left out. */
export function look(name: string, more: Partial<ColumnLook> = {}): ColumnLook {
  return {
    name,
    label: name,
    format: undefined,
    tone: undefined,
    width: undefined,
    type: 'double',
    combine: undefined,
    ...more,
  };
}

/** A table of a flow with these columns. */
export function table(columns: readonly ColumnLook[], more: Partial<TableInfo> = {}): TableInfo {
  const base = { flow: 'shop', table: 'sums', title: 'Sums', kind: 'totals', key: [], rollup: '' };
  return { ...base, columns, ...more };
}

const BASE = { name: 'card', title: 'Card', width: 6, hint: '', empty: '', tables: ['sums'] };

/** A grid of one table. */
export const GRID: GridCard = { ...BASE, kind: 'grid', forms: ['Sums'], columns: [], sort: '' };
/** A tile of one figure. */
export const TILE: TileCard = {
  ...BASE,
  kind: 'tile',
  value: 'amount',
  down: '',
  detail: '',
  trend: '',
  unit: '',
  format: '',
};
/** Bars of amounts by shop. */
export const BARS: BarsCard = {
  ...BASE,
  kind: 'bars',
  x: 'amount',
  y: 'shop',
  colour: '',
  detail: '',
  rows: 10,
  format: '',
};
/** Lines of amounts by shop. */
export const LINES: LinesCard = {
  ...BASE,
  kind: 'lines',
  x: 'bucket',
  y: 'amount',
  by: 'shop',
  weight: '',
  pick: '',
  rank: '',
  format: '',
};
/** A list of shops by amount. */
export const LIST: ListCard = {
  ...BASE,
  kind: 'list',
  columns: ['shop', 'amount'],
  rows: 10,
  by: 'amount',
  both: false,
  filtered: '',
};

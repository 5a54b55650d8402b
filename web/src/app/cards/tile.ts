import type { TileCard } from '../catalogue/cards';
import { lookOf, type TableInfo } from '../catalogue/tables';
import type { Cells } from '../live-rows/read-records';
import { numberOf } from './page-query';
import type { Point } from './samples';
import { sparkPath, sparkText } from './sparkline';
import { columnsOf, detailText, toneOf, valueText } from './value-text';

/** A figure, as drawn. */
export interface Tile {
  readonly value: string;
  readonly unit: string;
  /** Which way the value points, where that has a colour. */
  readonly sign: 'up' | 'down' | null;
  readonly detail: string;
  /** The trend as an SVG path, and in words. */
  readonly path: string;
  readonly trend: string;
}

/** A tile of a row; `missing` says why there is none. */
export function tileOf(
  card: TileCard,
  table: TableInfo | undefined,
  row: Cells | null,
  points: readonly Point[],
  missing: string,
): Tile {
  const look = lookOf(table, card.value);
  const value = row?.[card.value] ?? null;
  return {
    value: row && card.down ? bothWays(card, table, row) : valueText(value, look, card.format),
    unit: row === null || value === null ? '' : card.unit,
    sign: card.down ? null : toneOf(value, look),
    detail: row === null ? missing : belowOf(card, table, row),
    path: sparkPath(points),
    trend: sparkText(points, (amount) => valueText(amount, look, card.format)),
  };
}

/** The columns that a tile reads. */
export function tileColumns(card: TileCard): readonly string[] {
  return [card.value, card.down, ...columnsOf(card.detail)];
}

/** What the trend is of: the value, or by how much more went up than down. */
export function trendValue(card: TileCard, row: Cells): number | null {
  const [up, down] = [numberOf(row[card.value]), card.down ? numberOf(row[card.down]) : 0];
  return up === null || down === null ? null : up - down;
}

/** How many went up, and how many down. */
function bothWays({ value, down, format }: TileCard, table: TableInfo | undefined, row: Cells) {
  const write = (column: string) => valueText(row[column] ?? null, lookOf(table, column), format);
  return `▲ ${write(value)}  ▼ ${write(down)}`;
}

/** The detail, or that there is nothing to tell. */
function belowOf(card: TileCard, table: TableInfo | undefined, row: Cells): string {
  const nothing = !numberOf(row[card.value]) && !(card.down && numberOf(row[card.down]));
  return nothing && card.empty ? card.empty : detailText(card.detail, row, table);
}

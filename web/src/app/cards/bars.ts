import type { BarsCard } from '../catalogue/cards';
import { lookOf, type TableInfo } from '../catalogue/tables';
import type { Cells } from '../live-rows/read-records';
import type { Filter, Sort } from '../deephaven/query';
import {
  cardQuery,
  numberOf,
  sortBy,
  summedFilters,
  type PageChoice,
  type RowsQuery,
} from './page-query';
import { columnsOf, detailText, valueText } from './value-text';

/** A bar, as drawn. */
export interface Bar {
  readonly name: string;
  readonly value: number;
  /** The value as it stands beside the bar. */
  readonly text: string;
  /** What more is told of it. */
  readonly more: readonly string[];
  /** A way it points, or the number of its category. */
  readonly colour: 'up' | 'down' | number;
}

/** The columns that bars read. */
export function barColumns({ x, y, colour, detail }: BarsCard): readonly string[] {
  return [x, y, colour, ...columnsOf(detail)];
}

/** The rows with the highest or the lowest values; one without a value would be the lowest of all. */
export function barsQuery(
  card: BarsCard,
  table: TableInfo | undefined,
  choice: PageChoice,
  direction: Sort['direction'],
  count: number,
): RowsQuery {
  const filled: Filter = { column: card.x, op: 'filled' };
  const filters = [...summedFilters(table, choice, card.y), filled];
  const [sort, columns] = [sortBy(card.x, direction), barColumns(card)];
  return cardQuery(card.tables[0] ?? '', table, count, { sort, filters, columns });
}

/** The bars of rows, the highest first; without those that have no value. */
export function barsOf(
  card: BarsCard,
  table: TableInfo | undefined,
  rows: readonly Cells[],
): readonly Bar[] {
  const look = lookOf(table, card.x);
  const valued = rows.filter((row) => numberOf(row[card.x]) !== null);
  const signed = look.tone === 'sign' || valued.some((row) => (numberOf(row[card.x]) ?? 0) < 0);
  const category = (row: Cells) => String(row[card.colour] ?? '');
  const categories = card.colour ? [...new Set(valued.map(category))].sort() : [];
  return valued
    .map((row) => {
      const value = numberOf(row[card.x]) ?? 0;
      const way = value < 0 ? 'down' : 'up';
      return {
        name: String(row[card.y] ?? ''),
        value,
        text: valueText(value, look, card.format || 'compact'),
        more: [
          ...(card.colour ? [category(row)] : []),
          ...(card.detail ? [detailText(card.detail, row, table)] : []),
        ],
        colour: card.colour ? categories.indexOf(category(row)) : signed ? way : (0 as const),
      } satisfies Bar;
    })
    .sort((a, b) => b.value - a.value);
}

import type { TileCard } from '../catalogue/cards';
import { ALL, hasColumn, lookOf, type TableInfo } from '../catalogue/tables';
import { countText } from '../format/number-text';
import { noteOf, type LiveRows } from '../live-rows/live-rows';
import type { Cells } from '../live-rows/read-records';
import { combineValues } from './combine-values';
import { cardQuery, numberOf, summedFilters, type PageChoice, type RowsQuery } from './page-query';
import { tileColumns } from './tile';

/** How many rows a tile puts together. */
export const MOST_TOGETHER = 10_000;

/** The rows that the figures of a tile are made of: one, or those that can be put together. */
export function tileQuery(
  card: TileCard,
  table: TableInfo | undefined,
  choice: PageChoice,
  clock: string,
): RowsQuery {
  const filters = summedFilters(table, choice);
  const columns = [clock, ...tileColumns(card)];
  const count = goesTogether(card, table) ? MOST_TOGETHER : 1;
  return cardQuery(card.tables[0] ?? '', table, count, { sort: [], filters, columns });
}

/** The rows of a tile as one; null if there is none, or more than can be put together. */
export function tileRow(
  card: TileCard,
  table: TableInfo | undefined,
  { rows, total }: LiveRows<Cells>,
  clock: string,
): Cells | null {
  if (total > rows.length) {
    return null;
  }
  if (rows.length < 2) {
    return rows[0] ?? null;
  }
  const looks = tileColumns(card).map((name) => lookOf(table, name));
  const columns = [...looks, { name: clock, combine: 'max' as const }];
  return Object.fromEntries(
    columns
      .filter(({ name }) => name !== '')
      .map(({ name, combine }) => {
        const values = rows.map((row) => numberOf(row[name])).filter((value) => value !== null);
        return [name, combine && values.length > 0 ? combineValues(combine, values) : null];
      }),
  );
}

/** Why a tile has no figure. */
export function missingNote(
  card: TileCard,
  table: TableInfo | undefined,
  rows: LiveRows<Cells>,
  { column, value }: PageChoice,
): string {
  const note = noteOf(rows, card.empty || 'No rows now');
  if (note !== null) {
    return note;
  }
  if (goesTogether(card, table)) {
    return `More than ${countText(MOST_TOGETHER)} rows are too many to add up`;
  }
  const canChoose = hasColumn(table, column) && value === ALL;
  return canChoose ? `Choose one ${lookOf(table, column).label}` : 'Several rows have a value each';
}

function goesTogether(card: TileCard, table: TableInfo | undefined): boolean {
  return tileColumns(card).every((name) => name === '' || lookOf(table, name).combine);
}

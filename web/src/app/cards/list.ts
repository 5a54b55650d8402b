import type { ListCard } from '../catalogue/cards';
import { ALL, hasColumn, lookOf, type TableInfo } from '../catalogue/tables';
import type { Filter } from '../deephaven/query';
import { titleOf } from '../format/cell-text';
import type { Cells } from '../live-rows/read-records';
import { cardQuery, sortBy, summedFilters, type PageChoice, type RowsQuery } from './page-query';
import { lookFormat, standsRight, toneOf, valueText } from './value-text';

/** The rows that a list begins with: the highest, or the lowest. */
export type Side = 'up' | 'down';

/** A row of a list, as drawn. */
export interface ListRow {
  readonly key: string;
  readonly cells: readonly {
    readonly text: string;
    readonly title: string;
    readonly right: boolean;
    readonly tone: Side | null;
  }[];
}

/** The table of a list: another one while the page is about one value, if the card has one. */
export function listTable({ tables, filtered }: ListCard, { value }: PageChoice): string {
  return filtered !== '' && value !== ALL ? filtered : (tables[0] ?? '');
}

/** The columns of a list; those of the table that say what a row is, if the card names none. */
export function listColumns(card: ListCard, table: TableInfo | undefined): readonly string[] {
  const own = ['ts', 'topic', 'partition', 'offset'];
  const all = table?.columns.map(({ name }) => name).filter((name) => !own.includes(name)) ?? [];
  return card.columns.length > 0 ? card.columns : all;
}

/** The rows of one side. With both sides, only what is above zero is up, and below it down. */
export function listQuery(
  card: ListCard,
  side: Side,
  table: TableInfo | undefined,
  choice: PageChoice,
): RowsQuery {
  const { by, both, rows } = card;
  const moved: Filter[] = both ? [{ column: by, op: side === 'up' ? 'gt' : 'lt', value: 0 }] : [];
  const columns = [...listColumns(card, table), ...(table?.key ?? [])];
  const sort = hasColumn(table, by) ? sortBy(by, side === 'up' ? 'desc' : 'asc') : [];
  // Where nothing but the summed column tells rows apart, a row is for each of its values.
  const filters = [...summedFilters(table, choice, table?.key.join()), ...moved];
  return cardQuery(listTable(card, choice), table, rows, { sort, filters, columns });
}

/** The rows as they are drawn; each is told by the key of its table, or else by its place. */
export function listRows(
  columns: readonly string[],
  table: TableInfo | undefined,
  rows: readonly Cells[],
): readonly ListRow[] {
  const looks = columns.map((column) => lookOf(table, column));
  const key = table?.key ?? [];
  return rows.map((row, n) => ({
    key: key.length > 0 ? JSON.stringify(key.map((column) => String(row[column]))) : String(n),
    cells: looks.map((look) => {
      const value = row[look.name] ?? null;
      return {
        text: valueText(value, look),
        title: titleOf(value, lookFormat(look)),
        right: standsRight(look),
        tone: toneOf(value, look),
      };
    }),
  }));
}

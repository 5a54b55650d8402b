import { ALL, hasColumn, type TableInfo } from '../catalogue/tables';
import type { Cell } from '../deephaven/decode';
import type { Filter, Sort, TableQuery } from '../deephaven/query';
import { DRAW_EVERY } from './chart/chart-pace';

/** What a page is about: all values of a column, or one. */
export interface PageChoice {
  /** The column; empty if the page has no filter. */
  readonly column: string;
  readonly value: string;
}

/** A query of a card, and how many of its rows, from the first. */
export interface RowsQuery extends TableQuery {
  readonly count: number;
}

const is = (column: string, text: string): Filter => ({ column, op: 'is', text });

/**
 * The filters of the page on a table. A table with rows that sum all values up has those alone, or
 * those of one value; any other that has the column is filtered, unless all are wanted.
 */
export function choiceFilters(
  table: TableInfo | undefined,
  { column, value }: PageChoice,
): readonly Filter[] {
  if (column === '' || !hasColumn(table, column)) {
    return [];
  }
  return value === ALL && table?.rollup !== column ? [] : [is(column, value)];
}

/**
 * The filters of a card that shows one row for each thing: never a sum beside what it is of. Where the
 * things are the values of the column that is summed up, as `each` says, the sum is not among them.
 */
export function summedFilters(
  table: TableInfo | undefined,
  choice: PageChoice,
  each = '',
): readonly Filter[] {
  const rollup = table?.rollup ?? '';
  const chosen = choiceFilters(table, choice);
  if (rollup === '' || (rollup === choice.column && choice.value !== ALL)) {
    return chosen;
  }
  const others = chosen.filter(({ column }) => column !== rollup);
  return [...others, { column: rollup, op: each === rollup ? 'isNot' : 'is', text: ALL }];
}

/** A query of a card that is no grid: read no more often than it is drawn. */
export function cardQuery(
  table: string,
  info: TableInfo | undefined,
  count: number,
  asked: Pick<TableQuery, 'sort' | 'filters'> & { readonly columns: readonly string[] },
): RowsQuery {
  // A column that went with another declaration would fail the query, and the card with it.
  const columns = [...new Set(asked.columns)].filter(
    (name) => name !== '' && (!info || hasColumn(info, name)),
  );
  return { ...asked, table, columns, together: info?.flow, interval: DRAW_EVERY, count };
}

/** The different values in a column of the rows that pass the filters, in order. */
export function distinctQuery(
  table: string,
  column: string,
  count: number,
  filters: readonly Filter[],
): RowsQuery {
  const sort = sortBy(column, 'asc');
  return { table, distinct: column, sort, filters, interval: DRAW_EVERY, count };
}

/** An order by one column; none without one. */
export function sortBy(column: string, direction: Sort['direction']): readonly Sort[] {
  return column === '' ? [] : [{ column, direction }];
}

/** A cell as a number; null if it is none. */
export function numberOf(cell: Cell | undefined): number | null {
  return typeof cell === 'number' || typeof cell === 'bigint' ? Number(cell) : null;
}

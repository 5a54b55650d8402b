import { cardQuery, sortBy, type RowsQuery } from '../cards/page-query';
import type { FlowPage } from '../catalogue/flow-pages';
import { ALL, hasColumn, type TableInfo } from '../catalogue/tables';
import { FILTER, type LinkParts } from '../session/link-parts';

/** More values of a filter than anybody would choose from. */
export const MOST_VALUES = 500;

/** The values to choose from; the chosen one is among them even when no row has it. */
export function filterOptions(values: readonly string[], chosen: string): readonly string[] {
  const names = new Set([...values, chosen]);
  const single = [...names].filter((name) => name !== '' && name !== ALL);
  return [ALL, ...single.sort((a, b) => a.localeCompare(b))];
}

/**
 * The table that tells what a page can be filtered by: of those on its cards the one with a row for
 * each value, else one that sums values up, else any with the column.
 */
export function filterTable(
  { filter, cards }: Pick<FlowPage, 'filter' | 'cards'>,
  tables: ReadonlyMap<string, TableInfo>,
): TableInfo | undefined {
  const shown = cards
    .flatMap((card) => card.tables)
    .map((name) => tables.get(name))
    .filter((table) => filter !== '' && hasColumn(table, filter));
  return (
    shown.find((table) => isKey(table, filter)) ??
    shown.find((table) => table?.rollup === filter) ??
    shown[0]
  );
}

/** Asks for the values in a column; where it is not the key, many rows may have the same. */
export function valuesQuery(table: TableInfo, column: string): RowsQuery {
  const asked = { sort: sortBy(column, 'asc'), filters: [], columns: [column] };
  const query = cardQuery(table.table, table, MOST_VALUES, asked);
  return isKey(table, column)
    ? query
    : { ...query, distinct: column, columns: undefined, together: undefined };
}

/** The value that an address is about; one that was kept counts only where it says nothing at all. */
export function valueAt(parts: LinkParts, kept: string | null): string {
  const isBare = Object.keys(parts).length === 0;
  return parts[FILTER] ?? (isBare ? kept : null) ?? ALL;
}

function isKey(table: TableInfo | undefined, column: string): boolean {
  return table?.key.join() === column;
}

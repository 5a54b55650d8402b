import { MissingColumnError } from './errors';
import { GENERATION_COLUMN } from './generation-gate';
import type { Sort, TableQuery } from './query';
import type { RemoteApi, RemoteColumn, RemoteSort, RemoteTable } from './remote';
import { applyFilters } from './remote-filter';

/** The column of that name, or an error that names table and column. */
function columnOf(table: RemoteTable, tableName: string, name: string): RemoteColumn {
  const column = table.columns.find((candidate) => candidate.name === name);
  if (column === undefined) {
    throw new MissingColumnError(tableName, name);
  }
  return column;
}

/** Whether a table has a column of that name. */
export function hasColumn(table: RemoteTable, name: string): boolean {
  return table.columns.some((column) => column.name === name);
}

/** A table of the different values of a column, for a query that asks for them. */
export function distinctTable(
  api: RemoteApi,
  table: RemoteTable,
  query: TableQuery,
): Promise<RemoteTable> | null {
  const { distinct } = query;
  if (distinct === undefined) {
    return null;
  }
  const column = columnOf(table, query.table, distinct);
  applyFilters(api, table, query.filters);
  return table.selectDistinct([column]);
}

/** The columns of a query's rows, in the order asked for. */
export function remoteColumns(table: RemoteTable, query: TableQuery): RemoteColumn[] {
  if (query.columns) {
    return query.columns.map((name) => columnOf(table, query.table, name));
  }
  const generation = generationColumn(table, query);
  return table.columns.filter((column) => column !== generation);
}

/** The column that tells the generation, if the query is one of a group. */
export function generationColumn(table: RemoteTable, query: TableQuery): RemoteColumn | null {
  return query.together === undefined ? null : columnOf(table, query.table, GENERATION_COLUMN);
}

/** The JS API's sort for ours. */
export function remoteSort(table: RemoteTable, tableName: string, sort: Sort): RemoteSort {
  const order = columnOf(table, tableName, sort.column).sort();
  return sort.direction === 'asc' ? order.asc() : order.desc();
}

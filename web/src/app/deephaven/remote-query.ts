import { MissingColumnError } from './errors';
import { GENERATION_COLUMN } from './generation-gate';
import type { Filter, Sort, TableQuery } from './query';
import type { RemoteApi, RemoteColumn, RemoteFilter, RemoteSort, RemoteTable } from './remote';

/** The column of that name, or an error that names table and column. */
function columnOf(table: RemoteTable, tableName: string, name: string): RemoteColumn {
  const column = table.columns.find((candidate) => candidate.name === name);
  if (column === undefined) {
    throw new MissingColumnError(tableName, name);
  }
  return column;
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

/** The JS API's filter for ours, built from its value objects so that no text becomes a formula. */
export function remoteFilter(
  api: RemoteApi,
  table: RemoteTable,
  tableName: string,
  filter: Filter,
): RemoteFilter {
  const column = columnOf(table, tableName, filter.column).filter();
  const number = (value: number) => api.FilterValue.ofNumber(value);
  switch (filter.op) {
    case 'is':
      return column.eq(api.FilterValue.ofString(filter.text));
    case 'contains':
      return column.containsIgnoreCase(api.FilterValue.ofString(filter.text));
    case 'eq':
      return column.eq(number(filter.value));
    case 'gt':
      return column.greaterThan(number(filter.value));
    // Deephaven sorts null below every number, and a viewer who types <5 does not mean empty cells.
    case 'lt':
      return column.lessThan(number(filter.value)).and(column.isNull().not());
    case 'ge':
      return column.greaterThanOrEqualTo(number(filter.value));
    case 'le':
      return column.lessThanOrEqualTo(number(filter.value)).and(column.isNull().not());
    case 'between':
      return column
        .greaterThanOrEqualTo(number(filter.low))
        .and(column.lessThanOrEqualTo(number(filter.high)));
  }
}

import { kindOf, type ColumnKind } from './decode';
import { MissingColumnError } from './errors';
import { GENERATION_COLUMN } from './generation-gate';
import type { Filter, FilterCell, Sort, TableQuery } from './query';
import type {
  RemoteApi,
  RemoteColumn,
  RemoteFilter,
  RemoteFilterValue,
  RemoteSort,
  RemoteTable,
} from './remote';

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

/** Whether a table has the column of a filter, and values in it that the filter can be about. */
export function takesFilter(table: RemoteTable, filter: Filter): boolean {
  const column = table.columns.find(({ name }) => name === filter.column);
  return column !== undefined && suits(filter, kindOf(column.type));
}

/** A table of the different values of a column, for a query that asks for them. */
export function distinctTable(table: RemoteTable, query: TableQuery): Promise<RemoteTable> | null {
  const { distinct } = query;
  return distinct === undefined
    ? null
    : table.selectDistinct([columnOf(table, query.table, distinct)]);
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
    case 'oneOf':
      return oneOf(api, column, filter.values);
    case 'empty':
      return column.isNull();
    case 'filled':
      return column.isNull().not();
    case 'time': {
      const time = (epoch: number) =>
        api.FilterValue.ofNumber(api.DateWrapper.ofJsDate(new Date(epoch)));
      const limits = [
        ...(filter.from === null ? [] : [column.greaterThanOrEqualTo(time(filter.from))]),
        ...(filter.to === null ? [] : [column.lessThan(time(filter.to))]),
      ];
      return column
        .isNull()
        .not()
        .and(...limits);
    }
  }
}

/** Whether a filter is about values of that kind; any other would be refused with the whole query. */
function suits(filter: Filter, kind: ColumnKind): boolean {
  switch (filter.op) {
    case 'is':
    case 'contains':
      return kind === 'text';
    case 'empty':
    case 'filled':
      return true;
    case 'time':
      return kind === 'time';
    case 'oneOf': {
      const type = {
        text: 'string',
        flag: 'boolean',
        integer: 'number',
        decimal: 'number',
        time: '',
      };
      return filter.values.every((value) => value === null || typeof value === type[kind]);
    }
    default:
      return kind === 'integer' || kind === 'decimal';
  }
}

function oneOf(
  api: RemoteApi,
  column: RemoteFilterValue,
  values: readonly FilterCell[],
): RemoteFilter {
  const terms = values.flatMap((value) => {
    if (typeof value === 'string') {
      return [api.FilterValue.ofString(value)];
    }
    return typeof value === 'number' ? [api.FilterValue.ofNumber(value)] : [];
  });
  const parts = [
    ...(terms.length > 0 ? [column.in(terms)] : []),
    ...(values.includes(true) ? [column.isTrue()] : []),
    ...(values.includes(false) ? [column.isFalse()] : []),
    ...(values.includes(null) ? [column.isNull()] : []),
  ];
  const [first, ...others] = parts;
  // None of no values: nothing is both empty and not.
  return first ? first.or(...others) : column.isNull().and(column.isNull().not());
}

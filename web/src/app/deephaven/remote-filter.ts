import { kindOf, type ColumnKind } from './decode';
import type { Filter, FilterCell } from './query';
import type {
  RemoteApi,
  RemoteColumn,
  RemoteFilter,
  RemoteFilterValue,
  RemoteTable,
} from './remote';

/**
 * Leaves a table the rows that pass some filters. A filter that is about a column or about values
 * which the table does not have is left out: it would be refused with the whole query.
 */
export function applyFilters(api: RemoteApi, table: RemoteTable, filters: readonly Filter[]): void {
  const made = filters.flatMap((filter) => {
    const column = table.columns.find(({ name }) => name === filter.column);
    return column && suits(filter, kindOf(column.type)) ? [remoteFilter(api, column, filter)] : [];
  });
  if (made.length > 0) {
    table.applyFilter(made);
  }
}

/** The JS API's filter for ours, built from its value objects so that no text becomes a formula. */
function remoteFilter(api: RemoteApi, remote: RemoteColumn, filter: Filter): RemoteFilter {
  const column = remote.filter();
  const number = (value: number) => api.FilterValue.ofNumber(value);
  switch (filter.op) {
    case 'is':
      return readsAs(api, column, kindOf(remote.type), filter.text);
    case 'isNot':
      return readsAs(api, column, kindOf(remote.type), filter.text).not();
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

/** Whether a filter is about values of that kind. */
function suits(filter: Filter, kind: ColumnKind): boolean {
  switch (filter.op) {
    case 'is':
    case 'isNot':
      return kind !== 'time';
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

/** The cells that read as a text; none where no value of that kind does. */
function readsAs(
  { FilterValue, LongWrapper }: RemoteApi,
  column: RemoteFilterValue,
  kind: ColumnKind,
  text: string,
): RemoteFilter {
  if (kind === 'flag') {
    const flags: Record<string, RemoteFilter> = { true: column.isTrue(), false: column.isFalse() };
    return flags[text] ?? nothing(column);
  }
  if (kind === 'text') {
    return column.eq(FilterValue.ofString(text));
  }
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) {
    return nothing(column);
  }
  // A number of JavaScript has 53 bits.
  const isLarge = kind === 'integer' && !Number.isSafeInteger(number) && /^-?\d+$/.test(text);
  return column.eq(FilterValue.ofNumber(isLarge ? LongWrapper.ofString(text) : number));
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
  return first ? first.or(...others) : nothing(column);
}

/** No cell is both empty and not. */
function nothing(column: RemoteFilterValue): RemoteFilter {
  return column.isNull().and(column.isNull().not());
}

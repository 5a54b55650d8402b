import type { ColumnKind } from '../deephaven/decode';
import type { Filter, FilterCell } from '../deephaven/query';
import { formatCell, titleOf } from '../format/cell-text';

/** A filter that is chosen in the menu of a column, beside what is typed into its box. */
export type QuickFilter =
  | { readonly kind: 'range'; readonly low: number | null; readonly high: number | null }
  | { readonly kind: 'time'; readonly from: number | null; readonly to: number | null }
  | { readonly kind: 'oneOf'; readonly values: readonly FilterCell[] }
  | { readonly kind: 'empty' }
  | { readonly kind: 'filled' };

/** The most values that a filter can name. */
export const MAX_VALUES = 100;

/** The tests that a quick filter means for a column of that kind; none if it does not fit it. */
export function quickTests(column: string, kind: ColumnKind, quick: QuickFilter): Filter[] {
  switch (quick.kind) {
    case 'empty':
    case 'filled':
      return [{ column, op: quick.kind }];
    case 'oneOf':
      return [{ column, op: 'oneOf', values: quick.values }];
    case 'time':
      return kind === 'time' ? [{ column, op: 'time', from: quick.from, to: quick.to }] : [];
    case 'range':
      return kind === 'integer' || kind === 'decimal' ? rangeTest(column, quick) : [];
  }
}

function rangeTest(
  column: string,
  { low, high }: { readonly low: number | null; readonly high: number | null },
): Filter[] {
  if (low !== null && high !== null) {
    return [{ column, op: 'between', low: Math.min(low, high), high: Math.max(low, high) }];
  }
  if (low !== null) {
    return [{ column, op: 'ge', value: low }];
  }
  return high === null ? [] : [{ column, op: 'le', value: high }];
}

/** A quick filter in a few words. */
export function quickText(quick: QuickFilter): string {
  switch (quick.kind) {
    case 'empty':
      return 'empty';
    case 'filled':
      return 'not empty';
    case 'oneOf':
      return quick.values.length === 1
        ? `is ${valueText(quick.values[0] ?? null)}`
        : `one of ${quick.values.length} values`;
    case 'time':
      return spanText(quick.from, quick.to, (epoch) => titleOf(epoch, 'time'), 'from', 'before');
    case 'range':
      return spanText(
        quick.low,
        quick.high,
        (n) => formatCell(n, 'decimal'),
        'at least',
        'at most',
      );
  }
}

/** A value as it stands in a list to choose from. */
export function valueText(value: FilterCell): string {
  return value === null ? '(empty)' : String(value);
}

function spanText(
  low: number | null,
  high: number | null,
  write: (value: number) => string,
  from: string,
  to: string,
): string {
  if (low !== null && high !== null) {
    return `${write(low)} to ${write(high)}`;
  }
  return low !== null ? `${from} ${write(low)}` : high !== null ? `${to} ${write(high)}` : '';
}

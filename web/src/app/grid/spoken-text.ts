import type { Sort } from '../deephaven/query';

/** The order of rows, as read out. */
export function spokenSort(sorts: readonly Sort[], labelOf: (column: string) => string): string {
  if (sorts.length === 0) {
    return 'Not sorted';
  }
  const parts = sorts.map(
    ({ column, direction }) =>
      `${labelOf(column)} ${direction === 'asc' ? 'ascending' : 'descending'}`,
  );
  return `Sorted by ${parts.join(', then ')}`;
}

/** A number of rows, as read out. */
export function spokenRows(total: number): string {
  return total === 0 ? 'No rows' : total === 1 ? '1 row' : `${total.toLocaleString('en-US')} rows`;
}

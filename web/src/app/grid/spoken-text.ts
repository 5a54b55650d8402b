import type { Sort } from '../deephaven/query';
import { manyText } from '../format/number-text';

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
  return total === 0 ? 'No rows' : manyText(total, 'row');
}

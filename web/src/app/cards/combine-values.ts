import type { ColumnLook } from '../catalogue/tables';

/** One value of those of several rows; there is at least one. */
export function combineValues(
  combine: NonNullable<ColumnLook['combine']>,
  values: readonly number[],
): number {
  switch (combine) {
    case 'sum':
      return values.reduce((sum, value) => sum + value, 0);
    // Not as arguments of one call, which are limited in number.
    case 'min':
      return values.reduce((least, value) => Math.min(least, value));
    case 'max':
      return values.reduce((most, value) => Math.max(most, value));
  }
}

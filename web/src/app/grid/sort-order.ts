import type { Sort } from '../deephaven/query';

/** The most columns that rows can be sorted by at once. */
export const MAX_SORTS = 6;

/**
 * Goes with one column from no order to ascending, to descending, and back to none. With `add` the
 * other columns keep their order and their place; else they have none any more.
 */
export function cycleSort(sorts: readonly Sort[], column: string, add: boolean): readonly Sort[] {
  const current = sorts.find((sort) => sort.column === column)?.direction;
  const next = current === undefined ? 'asc' : current === 'asc' ? 'desc' : null;
  return withSort(sorts, column, next, add);
}

/** Sorts by a column in that direction, or no longer; with `add` beside the other columns. */
export function withSort(
  sorts: readonly Sort[],
  column: string,
  direction: Sort['direction'] | null,
  add: boolean,
): readonly Sort[] {
  const own = direction ? [{ column, direction }] : [];
  if (!add) {
    return own;
  }
  const at = sorts.findIndex((sort) => sort.column === column);
  const changed =
    at < 0 ? [...sorts, ...own] : [...sorts.slice(0, at), ...own, ...sorts.slice(at + 1)];
  return changed.slice(0, MAX_SORTS);
}

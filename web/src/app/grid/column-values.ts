import type { ColumnKind } from '../deephaven/decode';
import type { FilterCell } from '../deephaven/query';
import type { TableHub } from '../deephaven/table-hub';
import { parseFilter } from './filter-text';

/** How many values of a column are offered at once. */
export const OFFERED_VALUES = 200;

/** The different values that a column has now. */
export interface ColumnValues {
  readonly values: readonly FilterCell[];
  /** How many there are in all. */
  readonly total: number;
  /** A sentence when there are none to show; empty otherwise. */
  readonly message: string;
}

/**
 * Follows the different values of a column, in order, those that match the typed text; returns
 * unsubscribe. Values that no filter can hold, such as integers beyond 53 bits, are left out.
 */
export function watchValues(
  hub: Pick<TableHub, 'subscribe'>,
  table: string,
  column: string,
  kind: ColumnKind,
  typed: string,
  changed: (values: ColumnValues) => void,
): () => void {
  const parsed = parseFilter(column, kind, typed);
  const filters = parsed.kind === 'filter' ? [parsed.filter] : [];
  let values: ColumnValues = { values: [], total: 0, message: 'Loading…' };
  const tell = (change: Partial<ColumnValues>) => {
    values = { ...values, ...change };
    changed(values);
  };
  const subscription = hub.subscribe(
    { table, distinct: column, sort: [{ column, direction: 'asc' }], filters, interval: 1_000 },
    { first: 0, last: OFFERED_VALUES - 1 },
    {
      snapshot: ({ rows, total }) => {
        const cells = rows.slice(0, OFFERED_VALUES).map(([cell]) => cell ?? null);
        tell({
          values: cells.flatMap((cell) => (typeof cell === 'bigint' ? [] : [cell])),
          total,
          message: total > 0 ? '' : typed.trim() === '' ? 'No values yet.' : 'No value matches.',
        });
      },
      state: (state) => {
        if (state.kind === 'failed') {
          tell({ message: `${state.reason} Trying again.` });
        }
      },
    },
  );
  return () => subscription.unsubscribe();
}

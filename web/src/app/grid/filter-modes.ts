import type { ColumnKind } from '../deephaven/decode';
import { inputTimeText } from '../format/time-text';
import type { QuickFilter } from './quick-filter';

/** A way to filter; any is no filter. */
export type FilterMode = QuickFilter['kind'] | 'any';

const LABELS: Readonly<Record<FilterMode, string>> = {
  any: 'Any value',
  range: 'In a range',
  time: 'In a time',
  oneOf: 'One of',
  empty: 'Empty',
  filled: 'Not empty',
};

/** The ways to filter a column of that kind. */
export function filterModes(kind: ColumnKind): { mode: FilterMode; label: string }[] {
  const modes: Record<ColumnKind, readonly FilterMode[]> = {
    text: ['oneOf'],
    flag: ['oneOf'],
    integer: ['range', 'oneOf'],
    decimal: ['range', 'oneOf'],
    time: ['time'],
  };
  const all: readonly FilterMode[] = ['any', ...modes[kind], 'empty', 'filled'];
  return all.map((mode) => ({ mode, label: LABELS[mode] }));
}

/** A moment as an input of date and time takes it: in the viewer's zone, to the second. */
export function timeInput(epoch: number | null): string {
  return epoch === null ? '' : inputTimeText(epoch);
}

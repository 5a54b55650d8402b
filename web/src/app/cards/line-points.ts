import type { LinesCard } from '../catalogue/cards';
import type { ColumnLook } from '../catalogue/tables';
import type { Cells } from '../live-rows/read-records';
import { combineValues } from './combine-values';
import { numberOf } from './page-query';
import type { Point } from './samples';

/** The rows of a line, or of a tile's trend, that are read: for many groups, times are fewer. */
export const LINE_ROWS = 1_800;

/** The values of one line, oldest first. */
export interface Line {
  readonly name: string;
  readonly points: readonly Point[];
}

/** What several rows of the same time are. */
export interface SameTime {
  /** How their values make one, unless the card weighs them. */
  readonly combine: ColumnLook['combine'];
  /** Whether there are older rows: some of the oldest time that was read may be among them. */
  readonly cut: boolean;
}

/**
 * The values by time, oldest first: one for each time. Several rows of the same time are of several
 * groups. Their values are put together as the column says; where it says nothing, or the card says
 * what weighs them, it is their mean.
 */
export function lineOf(
  name: string,
  rows: readonly Cells[],
  { x, y, weight }: Pick<LinesCard, 'x' | 'y' | 'weight'>,
  { combine, cut }: SameTime = { combine: undefined, cut: false },
): Line {
  const steps = new Map<number, { value: number; weight: number }[]>();
  for (const row of rows) {
    const [at, value] = [numberOf(row[x]), numberOf(row[y])];
    if (at !== null && value !== null) {
      const more = Math.max(1, weight ? (numberOf(row[weight]) ?? 1) : 1);
      const step = steps.get(at) ?? [];
      steps.set(at, step);
      step.push({ value, weight: more });
    }
  }
  const points = [...steps].map(([at, step]) => {
    const values = step.map(({ value }) => value);
    return { at, value: combine && !weight ? combineValues(combine, values) : meanOf(step) };
  });
  return { name, points: points.sort((a, b) => a.at - b.at).slice(cut ? 1 : 0) };
}

/** The last value, and how much it has changed since the first, in per cent. */
export function lastOf({ points }: Line): { value: number; change: number } | null {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) {
    return null;
  }
  const from = Math.abs(first.value);
  const change = from === 0 ? 0 : ((last.value - first.value) / from) * 100;
  return { value: last.value, change };
}

function meanOf(step: readonly { value: number; weight: number }[]): number {
  const weights = step.reduce((sum, { weight }) => sum + weight, 0);
  return step.reduce((sum, { value, weight }) => sum + value * weight, 0) / weights;
}

import type { LinesCard } from '../catalogue/cards';
import type { Cells } from '../live-rows/read-records';
import { numberOf } from './page-query';
import type { Point } from './samples';

/** The values of one line, oldest first. */
export interface Line {
  readonly name: string;
  readonly points: readonly Point[];
}

/**
 * The values by time, oldest first: one for each time. Where several rows are of the same time
 * nobody knows which came last, so it is their mean, weighted if the card says by what.
 */
export function lineOf(
  name: string,
  rows: readonly Cells[],
  { x, y, weight }: Pick<LinesCard, 'x' | 'y' | 'weight'>,
): Line {
  const steps = new Map<number, { sum: number; weight: number }>();
  for (const row of rows) {
    const [at, value] = [numberOf(row[x]), numberOf(row[y])];
    if (at !== null && value !== null) {
      const step = steps.get(at) ?? { sum: 0, weight: 0 };
      const more = Math.max(1, weight ? (numberOf(row[weight]) ?? 1) : 1);
      steps.set(at, { sum: step.sum + value * more, weight: step.weight + more });
    }
  }
  const points = [...steps].map(([at, { sum, weight }]) => ({ at, value: sum / weight }));
  return { name, points: points.sort((a, b) => a.at - b.at) };
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

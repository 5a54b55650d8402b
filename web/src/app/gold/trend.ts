import type { TrendPoint } from './gold-records';
import { MOST_SAMPLES, SAMPLE_EVERY, type Point } from './samples';

/**
 * A column of `gold_trend` as a line up to now, oldest first. Steps without trades are zero, and the
 * step under way is left out, since it would always look like a fall.
 */
export function trendLine(
  points: readonly TrendPoint[],
  column: 'trades' | 'notional',
  now: number | null,
): readonly Point[] {
  const values = new Map(points.map((point) => [point.at, point[column]]));
  const times = [...values.keys()].sort((a, b) => a - b);
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) {
    return [];
  }
  const end = Math.max(last, stepOf(now ?? last));
  const steps = Math.min(Math.floor((end - first) / SAMPLE_EVERY), MOST_SAMPLES);
  const from = end - steps * SAMPLE_EVERY;
  return Array.from({ length: steps }, (_, n) => {
    const at = from + n * SAMPLE_EVERY;
    return { at, value: values.get(at) ?? 0 };
  });
}

function stepOf(time: number): number {
  return Math.floor(time / SAMPLE_EVERY) * SAMPLE_EVERY;
}

import type { TrendPoint } from './gold-records';
import { MOST_SAMPLES, SAMPLE_EVERY, type Point } from './samples';

/**
 * A column of `gold_trend` as a line, oldest first. Steps without trades are zero, and the step
 * under way is left out, since it would always look like a fall.
 */
export function trendLine(
  points: readonly TrendPoint[],
  column: 'trades' | 'notional',
): readonly Point[] {
  const values = new Map(points.map((point) => [point.at, point[column]]));
  const times = [...values.keys()].sort((a, b) => a - b);
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) {
    return [];
  }
  const steps = Math.min((last - first) / SAMPLE_EVERY, MOST_SAMPLES);
  const from = last - Math.floor(steps) * SAMPLE_EVERY;
  return Array.from({ length: Math.floor(steps) }, (_, n) => {
    const at = from + n * SAMPLE_EVERY;
    return { at, value: values.get(at) ?? 0 };
  });
}

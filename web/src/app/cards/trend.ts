import { MOST_SAMPLES, SAMPLE_EVERY, type Point } from './samples';

/**
 * Points as a line up to now, oldest first. Steps without a point are zero, and the step under way
 * is left out, since it would always look like a fall.
 */
export function trendLine(points: readonly Point[], now: number | null): readonly Point[] {
  const values = new Map(points.map(({ at, value }) => [at, value]));
  const times = [...values.keys()].sort((a, b) => a - b);
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) {
    return [];
  }
  const gaps = times.slice(1).map((time, n) => time - (times[n] as number));
  // Two points say little about how far apart they usually are.
  const step = gaps.length > 1 ? Math.min(...gaps) : SAMPLE_EVERY;
  const end = Math.max(last, Math.floor((now ?? last) / step) * step);
  const steps = Math.min(Math.floor((end - first) / step), MOST_SAMPLES);
  const from = end - steps * step;
  return Array.from({ length: steps }, (_, n) => {
    const at = from + n * step;
    return { at, value: values.get(at) ?? 0 };
  });
}

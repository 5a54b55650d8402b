import type { Point } from './samples';

/** The size of the drawing; it is stretched to the room there is. */
export const SPARK = { width: 100, height: 28 } as const;

/** Kept free above and below, so that the line is not cut at its peaks. */
const EDGE = 2;

/** The line through points as an SVG path; empty when there are fewer than two. */
export function sparkPath(points: readonly Point[]): string {
  points = points.filter(({ value }) => Number.isFinite(value));
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last || first.at === last.at) {
    return '';
  }
  const values = points.map(({ value }) => value);
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  const x = (at: number) => ((at - first.at) / (last.at - first.at)) * SPARK.width;
  const room = SPARK.height - 2 * EDGE;
  // Values that are all the same make a line in the middle.
  const y = (value: number) => EDGE + (span === 0 ? 0.5 : 1 - (value - low) / span) * room;
  return points
    .map(({ at, value }) => `${round(x(at))} ${round(y(value))}`)
    .join('L')
    .replace(/^/, 'M');
}

/** The line in words. */
export function sparkText(points: readonly Point[], format: (value: number) => string): string {
  const values = points.map(({ value }) => value);
  if (values.length < 2) {
    return 'No trend yet';
  }
  const [first, last] = [values[0] as number, values.at(-1) as number];
  const range = `lowest ${format(Math.min(...values))}, highest ${format(Math.max(...values))}`;
  return `Trend from ${format(first)} to ${format(last)}, ${range}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

import type { TileCard } from '../catalogue/cards';
import { lookOf, type TableInfo } from '../catalogue/tables';
import type { LiveRows } from '../live-rows/live-rows';
import type { Cells } from '../live-rows/read-records';
import { LINE_ROWS, lineOf } from './line-points';
import { cardQuery, sortBy, summedFilters, type PageChoice, type RowsQuery } from './page-query';
import { MOST_SAMPLES, SAMPLE_EVERY, type Point } from './samples';

/** The column of a table with a trend that has the times. */
const TIME = 'bucket';

/** The newest rows of the table that has the trend of a tile: an old one must not push them out. */
export function trendQuery(
  { trend, value }: TileCard,
  table: TableInfo | undefined,
  choice: PageChoice,
): RowsQuery {
  const filters = summedFilters(table, choice);
  const isOneOfEach = table?.key.every((column) => column === TIME || column === table.rollup);
  const count = isOneOfEach ? MOST_SAMPLES : LINE_ROWS;
  return cardQuery(trend, table, count, {
    sort: sortBy(TIME, 'desc'),
    filters,
    columns: [TIME, value],
  });
}

/** The values of a trend, one for each time. */
export function trendPoints(
  { value }: TileCard,
  table: TableInfo | undefined,
  { rows, total }: LiveRows<Cells>,
): readonly Point[] {
  const { combine } = lookOf(table, value);
  const columns = { x: TIME, y: value, weight: '' };
  return lineOf('', rows, columns, { combine, cut: total > rows.length }).points;
}

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

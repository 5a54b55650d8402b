import { describe, expect, it } from 'vitest';
import { NO_ROWS } from '../live-rows/live-rows';
import { look, table, TILE } from './testing/tables';
import { trendLine, trendPoints, trendQuery } from './trend';

const point = (at: number, value: number) => ({ at, value });

describe('trendLine', () => {
  it('is in the order of time, with zero where nothing was, without the step under way', () => {
    const line = trendLine([point(25_000, 1), point(10_000, 3), point(5_000, 2)], null);
    expect(line).toEqual([
      { at: 5_000, value: 2 },
      { at: 10_000, value: 3 },
      { at: 15_000, value: 0 },
      { at: 20_000, value: 0 },
    ]);
  });

  it('falls to zero up to now when nothing comes, and shows what came last', () => {
    const line = trendLine([point(5_000, 2)], 21_000);
    expect(line.map(({ value }) => value)).toEqual([2, 0, 0]);
    expect(line.at(-1)?.at).toBe(15_000);
  });

  it('is not cut short by a clock that is behind', () => {
    expect(trendLine([point(5_000, 2), point(15_000, 3)], 9_000)).toHaveLength(2);
  });

  it('takes the step from the points', () => {
    const line = trendLine([point(0, 1), point(60_000, 2), point(120_000, 3)], 250_000);
    expect(line.map(({ value }) => value)).toEqual([1, 2, 3, 0]);
  });

  it('is bounded, whatever the times are', () => {
    expect(trendLine([point(0, 1), point(1e12, 1)], null)).toHaveLength(180);
  });

  it('is empty without points, or with only the step under way', () => {
    expect(trendLine([], 0)).toEqual([]);
    expect(trendLine([point(0, 1)], 4_999)).toEqual([]);
  });
});

describe('The rows of a trend', () => {
  const columns = [
    look('bucket', { type: 'time' }),
    look('amount', { combine: 'sum' }),
    look('shop'),
  ];
  const card = { ...TILE, trend: 'slices' };
  const all = { column: 'shop', value: 'All' };
  const query = (key: string[], rollup = '') =>
    trendQuery(card, table(columns, { key, rollup }), all);

  it('are one for each time, or those of several groups', () => {
    expect(query(['bucket'])).toMatchObject({ table: 'slices', count: 180, filters: [] });
    expect(query(['shop', 'bucket'], 'shop')).toMatchObject({
      count: 180,
      filters: [{ column: 'shop', op: 'is', text: 'All' }],
      sort: [{ column: 'bucket', direction: 'desc' }],
    });
    expect(query(['shop', 'bucket']).count).toBe(1_800);
  });

  it('are put together by their times', () => {
    const rows = [10, 10, 5].map((bucket, n) => ({ bucket, amount: n + 1 }));
    const points = (total: number) =>
      trendPoints(card, table(columns), { ...NO_ROWS, rows, total });
    expect(points(3)).toEqual([point(5, 3), point(10, 3)]);
    expect(points(4)).toEqual([point(10, 3)]);
  });
});

import { describe, expect, it } from 'vitest';
import { lastOf, priceLine } from './price-line';

describe('priceLine', () => {
  it('has one price for each step, in the order of time', () => {
    const line = priceLine('A', [
      { at: 10, last: 12, trades: 1 },
      { at: 5, last: 10, trades: 4 },
      { at: 15, last: null, trades: 0 },
    ]);
    expect(line).toEqual({
      symbol: 'A',
      points: [
        { at: 5, value: 10 },
        { at: 10, value: 12 },
      ],
    });
  });

  it('takes the mean of several source systems, weighted by their trades', () => {
    const line = priceLine('A', [
      { at: 5, last: 10, trades: 3 },
      { at: 5, last: 14, trades: 1 },
    ]);
    expect(line.points).toEqual([{ at: 5, value: 11 }]);
  });
});

describe('lastOf', () => {
  it('is the last price and its change since the first', () => {
    const points = [
      { at: 0, value: 10 },
      { at: 5, value: 9 },
    ];
    expect(lastOf({ symbol: 'A', points })).toEqual({ price: 9, change: -10 });
    expect(lastOf({ symbol: 'A', points: [] })).toBeNull();
    const below = points.map(({ at, value }) => ({ at, value: -value }));
    expect(lastOf({ symbol: 'A', points: below })).toEqual({ price: -9, change: 10 });
    expect(lastOf({ symbol: 'A', points: [{ at: 0, value: 0 }] })).toEqual({ price: 0, change: 0 });
  });
});

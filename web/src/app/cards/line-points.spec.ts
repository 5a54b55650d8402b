import { describe, expect, it } from 'vitest';
import type { LinesCard } from '../catalogue/cards';
import { lastOf, lineOf, type SameTime } from './line-points';
import { LINES } from './testing/tables';

const row = (bucket: number, amount: number | null, n = 1) => ({ bucket, amount, n });

describe('lineOf', () => {
  it('has one value for each time, in the order of time', () => {
    expect(lineOf('A', [row(10, 12), row(5, 10), row(15, null)], LINES)).toEqual({
      name: 'A',
      points: [
        { at: 5, value: 10 },
        { at: 10, value: 12 },
      ],
    });
  });

  it('takes the mean of rows of the same time, weighted where the card says by what', () => {
    const rows = [row(5, 10, 3), row(5, 14, 1)];
    expect(lineOf('A', rows, LINES).points).toEqual([{ at: 5, value: 12 }]);
    expect(lineOf('A', rows, { ...LINES, weight: 'n' }).points).toEqual([{ at: 5, value: 11 }]);
  });
});

describe('lineOf, of rows of several groups', () => {
  const rows = [row(5, 10, 3), row(10, 1), row(5, 14, 1), row(10, 2), row(10, null)];
  const values = (of: typeof rows, card: LinesCard, same: SameTime) =>
    lineOf('A', of, card, same).points.map(({ value }) => value);
  const together = (combine: 'sum' | 'min' | 'max') => ({ combine, cut: false });

  it('puts the values of a time together as the column says', () => {
    expect(values(rows, LINES, together('sum'))).toEqual([24, 3]);
    expect(values(rows, LINES, together('min'))).toEqual([10, 1]);
    expect(values(rows, LINES, together('max'))).toEqual([14, 2]);
  });

  it('takes the mean that the card weighs, whatever the column says', () => {
    expect(values(rows, { ...LINES, weight: 'n' }, together('sum'))).toEqual([11, 1.5]);
  });

  it('leaves out the oldest time when some of its rows were not read', () => {
    expect(values(rows, LINES, { combine: 'sum', cut: true })).toEqual([3]);
  });
});

describe('lastOf', () => {
  it('is the last value and its change since the first', () => {
    const points = [
      { at: 0, value: 10 },
      { at: 5, value: 9 },
    ];
    expect(lastOf({ name: 'A', points })).toEqual({ value: 9, change: -10 });
    expect(lastOf({ name: 'A', points: [] })).toBeNull();
    const below = points.map(({ at, value }) => ({ at, value: -value }));
    expect(lastOf({ name: 'A', points: below })).toEqual({ value: -9, change: 10 });
    expect(lastOf({ name: 'A', points: [{ at: 0, value: 0 }] })).toEqual({ value: 0, change: 0 });
  });
});

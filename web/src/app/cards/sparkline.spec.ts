import { describe, expect, it } from 'vitest';
import { sparkPath, sparkText } from './sparkline';

const points = (...values: number[]) => values.map((value, n) => ({ at: n * 5_000, value }));

describe('sparkPath', () => {
  it('goes from left to right, the highest at the top', () => {
    expect(sparkPath(points(0, 10, 5))).toBe('M0 26L50 2L100 14');
  });

  it('draws values that are all the same in the middle', () => {
    expect(sparkPath(points(7, 7))).toBe('M0 14L100 14');
  });

  it('draws nothing from fewer than two points', () => {
    expect(sparkPath([])).toBe('');
    expect(sparkPath(points(1))).toBe('');
  });
});

describe('sparkText', () => {
  it('says where the line goes', () => {
    expect(sparkText(points(3, 9, 1), String)).toBe('Trend from 3 to 1, lowest 1, highest 9');
    expect(sparkText(points(3), String)).toBe('No trend yet');
  });
});

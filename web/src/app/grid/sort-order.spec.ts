import { describe, expect, it } from 'vitest';
import { cycleSort, MAX_SORTS, withSort } from './sort-order';

const asc = (column: string) => ({ column, direction: 'asc' }) as const;
const desc = (column: string) => ({ column, direction: 'desc' }) as const;

describe('cycleSort', () => {
  it('goes through ascending, descending and none, alone', () => {
    const first = cycleSort([desc('ts')], 'age', false);
    expect(first).toEqual([asc('age')]);
    const second = cycleSort(first, 'age', false);
    expect(second).toEqual([desc('age')]);
    expect(cycleSort(second, 'age', false)).toEqual([]);
  });

  it('adds a column behind the others, and changes it in its place', () => {
    const both = cycleSort([asc('city')], 'age', true);
    expect(both).toEqual([asc('city'), asc('age')]);
    expect(cycleSort(both, 'city', true)).toEqual([desc('city'), asc('age')]);
    expect(cycleSort([desc('city'), asc('age')], 'city', true)).toEqual([asc('age')]);
  });
});

describe('withSort', () => {
  it('takes so many columns and no more', () => {
    const many = Array.from({ length: MAX_SORTS }, (_, n) => asc(`c${n}`));
    expect(withSort(many, 'more', 'asc', true)).toEqual(many);
  });
});

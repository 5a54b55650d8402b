import { describe, expect, it } from 'vitest';
import { fallsShort, hull, within } from './query';

const WINDOW = { first: 480, last: 513, page: 10 };

describe('A window', () => {
  it('stays as it is while the table fills its first page', () => {
    expect(within(WINDOW, 1_000)).toBe(WINDOW);
    expect(within(WINDOW, 490)).toBe(WINDOW);
  });

  it('becomes as many rows up to the end of a shorter table', () => {
    expect(within(WINDOW, 489)).toEqual({ first: 455, last: 488, page: 10 });
    expect(within(WINDOW, 100)).toEqual({ first: 66, last: 99, page: 10 });
    expect(within(WINDOW, 20)).toEqual({ first: 0, last: 33, page: 10 });
  });

  it('stays as it is when there are no rows, or nobody knows how many', () => {
    expect(within(WINDOW, 0)).toBe(WINDOW);
    expect(within(WINDOW, Infinity)).toBe(WINDOW);
  });

  it('does not fall short from the first row on, however few there are', () => {
    expect(fallsShort({ first: 0, last: 33, page: 10 }, 3)).toBe(false);
  });

  it('of several has the largest page', () => {
    expect(hull([WINDOW, { first: 3, last: 9 }])).toEqual({ first: 3, last: 513, page: 10 });
  });
});

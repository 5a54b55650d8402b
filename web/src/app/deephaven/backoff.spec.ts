import { describe, expect, it } from 'vitest';
import { backoffDelay } from './backoff';

describe('backoffDelay', () => {
  it('doubles up to the cap', () => {
    const options = { base: 500, cap: 5_000, random: () => 1 };
    expect([1, 2, 3, 4, 5, 50].map((n) => backoffDelay(n, options))).toEqual([
      500, 1_000, 2_000, 4_000, 5_000, 5_000,
    ]);
  });

  it('leaves half of the wait to chance', () => {
    expect(backoffDelay(1, { base: 500, cap: 5_000, random: () => 0 })).toBe(250);
  });
});

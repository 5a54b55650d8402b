import { afterEach, describe, expect, it, vi } from 'vitest';
import { quickText, quickTests, type QuickFilter } from './quick-filter';
import { openGrid, pass, user, usersWorld } from './testing/world';

afterEach(() => {
  vi.useRealTimers();
});

/** The ids of the users that a filter of a column leaves. */
async function left(column: string, quick: QuickFilter): Promise<(string | undefined)[]> {
  const world = await usersWorld(9);
  world.rows().push({ ...user(9), age: null, city: '', ts: null, adult: null });
  const { table, column: shown } = openGrid(world, { shown: [column] });
  await pass();
  table.setQuickFilter(column, quick);
  await pass();
  const ids = shown('userId');
  table.close();
  return ids;
}

describe('A quick filter', () => {
  it.each<[string, QuickFilter, string[]]>([
    ['age', { kind: 'range', low: 2, high: 4 }, ['U2', 'U3', 'U4']],
    ['age', { kind: 'range', low: 4, high: 2 }, ['U2', 'U3', 'U4']],
    ['age', { kind: 'range', low: 7, high: null }, ['U7', 'U8']],
    ['age', { kind: 'range', low: null, high: 1 }, ['U0', 'U1']],
    ['age', { kind: 'oneOf', values: [3, 5, null] }, ['U3', 'U5', 'U9']],
    ['age', { kind: 'empty' }, ['U9']],
    ['city', { kind: 'oneOf', values: ['Oslo'] }, ['U1', 'U4', 'U7']],
    ['city', { kind: 'oneOf', values: ["Oslo' || true"] }, []],
    ['city', { kind: 'empty' }, ['U2', 'U5', 'U8']],
    ['ts', { kind: 'time', from: 6_000, to: null }, ['U6', 'U7', 'U8']],
    ['ts', { kind: 'time', from: 2_000, to: 4_000 }, ['U2', 'U3']],
    ['ts', { kind: 'time', from: null, to: 1_000 }, ['U0']],
    ['ts', { kind: 'empty' }, ['U9']],
  ])('on %s: %j', async (column, quick, ids) => {
    expect(await left(column, quick)).toEqual(ids);
  });

  it('that does not fit its column tests nothing', () => {
    expect(quickTests('city', 'text', { kind: 'range', low: 1, high: 2 })).toEqual([]);
    expect(quickTests('age', 'integer', { kind: 'time', from: 1, to: 2 })).toEqual([]);
  });

  it('says in a few words what it is', () => {
    expect(quickText({ kind: 'range', low: 1_000, high: null })).toBe('at least 1,000');
    expect(quickText({ kind: 'range', low: 1, high: 2 })).toBe('1 to 2');
    expect(quickText({ kind: 'oneOf', values: [null] })).toBe('is (empty)');
    expect(quickText({ kind: 'oneOf', values: ['a', 'b'] })).toBe('one of 2 values');
    expect(quickText({ kind: 'filled' })).toBe('not empty');
  });
});

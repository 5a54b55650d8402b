import { describe, expect, it } from 'vitest';
import { readLiveFlow, sourcesOf } from './live-flows';
import { readRecords } from '../live-rows/read-records';

/** Reads one row of these cells. */
function read(cells: Record<string, string | number | null>) {
  const columns = Object.keys(cells).map((name) => ({ name, kind: 'text' as const }));
  const snapshot = { columns, first: 0, rows: [Object.values(cells)], total: 1 };
  return readRecords(snapshot, readLiveFlow)[0]!;
}

describe('readLiveFlow', () => {
  it('reads a flow of two sources', () => {
    const live = read({
      flow: 'customers',
      generation: 7,
      usersTopic: 'users',
      accountsTopic: 'accounts',
      positionsTopic: null,
      joinType: 'inner',
      state: 'live',
      lastApplied: '2026-05-01T12:00:00+00:00',
      lingerSeconds: 20,
    });
    expect(live).toEqual({
      flow: 'customers',
      generation: 7,
      state: 'live',
      topics: { usersTopic: 'users', accountsTopic: 'accounts' },
      join: 'inner',
      since: Date.UTC(2026, 4, 1, 12),
      lingerSeconds: 20,
    });
    expect(sourcesOf(live)).toEqual([
      { name: 'users', topic: 'users' },
      { name: 'accounts', topic: 'accounts' },
    ]);
  });

  it('gives a flow of one source no join, and knows when nothing took over yet', () => {
    const live = read({
      flow: 'positions',
      positionsTopic: 'p',
      joinType: 'left',
      lastApplied: '',
    });
    expect(live).toMatchObject({ join: '', since: null, lingerSeconds: null });
  });
});

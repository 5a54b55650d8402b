import { describe, expect, it } from 'vitest';
import type { FlowInfo } from '../catalogue/flows';
import { readRecords } from '../live-rows/read-records';
import { liveFlows, readLiveStatus } from './live-flows';

/** Reads one row of these cells. */
function read(cells: Record<string, string | number | null>) {
  const columns = Object.keys(cells).map((name) => ({ name, kind: 'text' as const }));
  const snapshot = { columns, first: 0, rows: [Object.values(cells)], total: 1 };
  return readRecords(snapshot, readLiveStatus)[0]!;
}

const FLOW: FlowInfo = {
  flow: 'customers',
  title: 'Customers',
  state: 'live',
  generation: 7,
  sources: [
    { name: 'users', topic: 'u' },
    { name: 'accounts', topic: 'a' },
  ],
  joins: true,
};

describe('liveFlows', () => {
  it('adds to a flow how it is joined, since when it is live and how long it lingers', () => {
    const status = read({
      flow: 'customers',
      joinType: 'inner',
      lastApplied: '2026-05-01T12:00:00+00:00',
      lingerSeconds: 20,
    });
    const since = Date.UTC(2026, 4, 1, 12);
    expect(liveFlows([FLOW], [status])).toEqual([
      { ...FLOW, join: 'inner', since, lingerSeconds: 20 },
    ]);
  });

  it('gives a flow without a join none, and knows when nothing took over yet', () => {
    const status = read({ flow: 'customers', joinType: 'left', lastApplied: '' });
    const [live] = liveFlows([{ ...FLOW, joins: false }], [status]);
    expect(live).toMatchObject({ join: '', since: null, lingerSeconds: null });
  });

  it('leaves out a flow that has no generation', () => {
    expect(liveFlows([{ ...FLOW, generation: 0 }], [])).toEqual([]);
  });
});

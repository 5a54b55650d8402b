import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TableHub } from '../deephaven/table-hub';
import { MemoryServer } from '../deephaven/testing/memory-server';
import type { LiveRows } from '../live-rows/live-rows';
import { SwitchedRows } from '../live-rows/switched-rows';
import { totalsQuery, trendQuery } from './gold-queries';
import { readTotals, readTrendPoint, type Totals, type TrendPoint } from './gold-records';

const TEXT = 'java.lang.String';

let server: MemoryServer;
let hub: TableHub;
let totals: LiveRows<Totals>;
let trend: LiveRows<TrendPoint>;

const pass = (milliseconds = 50) => vi.advanceTimersByTimeAsync(milliseconds);

/** Gives a table rows of a generation: one over all systems and one of a system. */
function flip(table: string, generation: number): void {
  const rows = ['All', 'Murex'].map((sourceSystem, n) => ({
    sourceSystem,
    trades: 100 * generation + n,
    notional: 1,
    bucket: '5000000000',
    generation,
  }));
  server.tables.get(table)!.rows.splice(0, Infinity, ...rows);
  server.touch(table);
}

beforeEach(async () => {
  vi.useFakeTimers();
  server = new MemoryServer();
  const types = { sourceSystem: TEXT, trades: 'long', notional: 'double', generation: 'long' };
  server.table('gold_totals', types, []);
  server.table('gold_trend', { ...types, bucket: 'java.time.Instant' }, []);
  flip('gold_totals', 1);
  flip('gold_trend', 1);
  hub = new TableHub(server.login);
  const signedIn = hub.signIn('secret');
  await pass();
  await signedIn;
  const options = { count: 10, keep: true };
  new SwitchedRows(hub, { ...options, read: readTotals }, (rows) => (totals = rows)).watch(
    totalsQuery(),
  );
  new SwitchedRows(hub, { ...options, read: readTrendPoint }, (rows) => (trend = rows)).watch(
    trendQuery('Murex'),
  );
  await pass();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('What the page reads', () => {
  it('is filtered by the server', () => {
    expect(totals.rows.map(({ source, trades }) => [source, trades])).toEqual([
      ['All', 100],
      ['Murex', 101],
    ]);
    expect(trend.rows).toEqual([{ at: 5_000, trades: 101, notional: 1 }]);
  });

  it('changes generation together, and says which one it is', async () => {
    flip('gold_totals', 2);
    expect([totals, trend].map(({ generation }) => generation)).toEqual([1, 1]);
    flip('gold_trend', 2);
    expect([totals, trend].map(({ generation }) => generation)).toEqual([2, 2]);
    expect(trend.rows[0]!.trades).toBe(201);
    await pass();
  });
});

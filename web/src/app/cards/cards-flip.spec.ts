import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TableHub } from '../deephaven/table-hub';
import { MemoryServer } from '../deephaven/testing/memory-server';
import type { LiveRows } from '../live-rows/live-rows';
import { SwitchedRows } from '../live-rows/switched-rows';
import type { Cells, RecordReader } from '../live-rows/read-records';
import { cardQuery, sortBy, summedFilters } from './page-query';
import { look, table } from './testing/tables';

const TEXT = 'java.lang.String';
const COLUMNS = ['sourceSystem', 'trades', 'bucket'];
const TABLE = table(
  COLUMNS.map((name) => look(name)),
  { rollup: 'sourceSystem' },
);

function query(name: string, value: string) {
  const filters = value ? summedFilters(TABLE, { column: 'sourceSystem', value }) : [];
  return cardQuery(name, TABLE, 10, { sort: sortBy('trades', 'asc'), filters, columns: COLUMNS });
}

let server: MemoryServer;
let hub: TableHub;
let totals: LiveRows<Cells>;
let trend: LiveRows<Cells>;

const pass = (milliseconds = 50) => vi.advanceTimersByTimeAsync(milliseconds);

/** Gives a table rows of a generation: one over all systems and one of a system. */
function flip(table: string, generation: number): void {
  const rows = ['All', 'Murex'].map((sourceSystem, n) => ({
    sourceSystem,
    trades: 100 * generation + n,
    bucket: '5000000000',
    generation,
  }));
  server.tables.get(table)!.rows.splice(0, Infinity, ...rows);
  server.touch(table);
}

beforeEach(async () => {
  vi.useFakeTimers();
  server = new MemoryServer();
  const types = { sourceSystem: TEXT, trades: 'long', generation: 'long' };
  server.table('gold_totals', { ...types, bucket: 'java.time.Instant' }, []);
  server.table('gold_trend', { ...types, bucket: 'java.time.Instant' }, []);
  flip('gold_totals', 1);
  flip('gold_trend', 1);
  hub = new TableHub(server.login);
  const signedIn = hub.signIn('secret');
  await pass();
  await signedIn;
  const options = { count: 10, keep: true, read: (row: RecordReader) => row.cells() };
  new SwitchedRows(hub, options, (rows) => (totals = rows)).watch(query('gold_totals', ''));
  new SwitchedRows(hub, options, (rows) => (trend = rows)).watch(query('gold_trend', 'Murex'));
  await pass();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('What cards read', () => {
  it('is filtered by the server', () => {
    expect(totals.rows.map((row) => [row['sourceSystem'], row['trades']])).toEqual([
      ['All', 100],
      ['Murex', 101],
    ]);
    expect(trend.rows).toEqual([{ sourceSystem: 'Murex', trades: 101, bucket: 5_000 }]);
  });

  it('changes generation together, and says which one it is', async () => {
    flip('gold_totals', 2);
    expect([totals, trend].map(({ generation }) => generation)).toEqual([1, 1]);
    flip('gold_trend', 2);
    expect([totals, trend].map(({ generation }) => generation)).toEqual([2, 2]);
    expect(trend.rows[0]!['trades']).toBe(201);
    await pass();
  });
});

import { afterEach, describe, expect, it, vi } from 'vitest';
import { GRID, look, table } from '../cards/testing/tables';
import { TableHub } from '../deephaven/table-hub';
import { MemoryServer } from '../deephaven/testing/memory-server';
import { watchRows } from '../live-rows/live-rows';
import { filterOptions, filterTable, valueAt, valuesQuery } from './page-filter';

describe('filterOptions', () => {
  it('offers all of them, then each by its name', () => {
    expect(filterOptions(['Murex', 'All', 'Calypso', '', 'Murex'], 'All')).toEqual([
      'All',
      'Calypso',
      'Murex',
    ]);
  });

  it('keeps one that is chosen and has no rows', () => {
    expect(filterOptions(['All'], 'Murex')).toEqual(['All', 'Murex']);
  });
});

describe('filterTable', () => {
  const any = table([look('region')], { table: 'any' });
  const summed = table([look('region')], {
    table: 'summed',
    rollup: 'region',
    key: ['a', 'region'],
  });
  const each = table([look('region')], { table: 'each', key: ['region'] });
  const other = table([look('amount')], { table: 'other' });
  const found = (filter: string, ...tables: (typeof any)[]) =>
    filterTable(
      { filter, cards: tables.map((one) => ({ ...GRID, tables: [one.table] })) },
      new Map(tables.map((one) => [one.table, one])),
    )?.table;

  it('prefers a row for each value, then sums, then any table with the column', () => {
    expect(found('region', other, any, summed, each)).toBe('each');
    expect(found('region', other, any, summed)).toBe('summed');
    expect(found('region', other, any)).toBe('any');
    expect(found('region', other)).toBeUndefined();
    expect(found('', each)).toBeUndefined();
  });
});

describe('valuesQuery', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** The values that a page is offered of a table of orders, each with a number and a state. */
  async function offered(key: string, ...states: string[]): Promise<string[]> {
    vi.useFakeTimers();
    const server = new MemoryServer();
    const types = { number: 'long', status: 'java.lang.String', generation: 'long' };
    const rows = states.map((status, number) => ({ number, status, generation: 1 }));
    server.table('orders', types, rows);
    const hub = new TableHub(server.login);
    void hub.signIn('secret');
    const info = table([look('number'), look('status')], { table: 'orders', key: [key] });
    const query = valuesQuery(info, 'status');
    let values: string[] = [];
    watchRows(
      hub,
      query,
      query.count,
      (row) => row.text('status'),
      (next) => (values = [...next.rows]),
    );
    await vi.advanceTimersByTimeAsync(100);
    return values;
  }

  it('has each value once, however many rows have the same', async () => {
    const states = [...Array<string>(1_000).fill('CANCELLED'), 'OPEN', 'SHIPPED'];
    expect(await offered('number', ...states)).toEqual(['CANCELLED', 'OPEN', 'SHIPPED']);
  });

  it('reads the rows of a table that has one for each value', async () => {
    expect(await offered('status', 'OPEN', 'CLOSED')).toEqual(['CLOSED', 'OPEN']);
  });
});

describe('valueAt', () => {
  it('is what the address says', () => {
    expect(valueAt({ of: 'S1' }, 'S2')).toBe('S1');
    expect(valueAt({ of: 'All' }, 'S2')).toBe('All');
  });

  it('is what was kept only where the address says nothing at all', () => {
    expect(valueAt({}, 'S2')).toBe('S2');
    expect(valueAt({ card: 'orders' }, 'S2')).toBe('All');
    expect(valueAt({ plain: '' }, 'S2')).toBe('All');
    expect(valueAt({}, null)).toBe('All');
  });
});

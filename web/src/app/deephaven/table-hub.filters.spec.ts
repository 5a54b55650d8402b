import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Snapshot } from './feed';
import type { Filter, TableQuery } from './query';
import { TableHub } from './table-hub';
import { MemoryServer } from './testing/memory-server';

let server: MemoryServer;
let hub: TableHub;
let latest: Snapshot | null;

const pass = (milliseconds = 50) => vi.advanceTimersByTimeAsync(milliseconds);

/** Watches a query of the table; returns unsubscribe. */
function watch(query: Partial<TableQuery>): () => void {
  latest = null;
  const subscription = hub.subscribe(
    { table: 'items', sort: [], filters: [], ...query },
    { first: 0, last: 99 },
    { snapshot: (snapshot) => (latest = snapshot), state: vi.fn() },
  );
  return () => subscription.unsubscribe();
}

beforeEach(async () => {
  vi.useFakeTimers();
  server = new MemoryServer();
  const types = {
    name: 'java.lang.String',
    size: 'long',
    old: 'java.lang.Boolean',
    price: 'double',
    id: 'long',
  };
  server.table('items', types, [
    { name: 'b', size: 2, old: true, price: 0.1, id: 9_007_199_254_740_992n },
    { name: 'a', size: 2, old: false, price: 0.2, id: 9_007_199_254_740_993n },
    { name: 'b', size: null, old: null, price: 0.3, id: null },
  ]);
  hub = new TableHub(server.login);
  const signedIn = hub.signIn('secret');
  await pass();
  await signedIn;
});

afterEach(() => {
  vi.useRealTimers();
});

describe('The filters of a query', () => {
  it.each<[Filter, number]>([
    [{ column: 'old', op: 'oneOf', values: [true] }, 1],
    [{ column: 'old', op: 'oneOf', values: [false, null] }, 2],
    [{ column: 'name', op: 'oneOf', values: [] }, 0],
    [{ column: 'size', op: 'filled' }, 2],
    [{ column: 'name', op: 'is', text: 'b' }, 2],
    [{ column: 'name', op: 'isNot', text: 'b' }, 1],
    [{ column: 'size', op: 'is', text: '2' }, 2],
    [{ column: 'size', op: 'is', text: 'two' }, 0],
    [{ column: 'size', op: 'is', text: '' }, 0],
    [{ column: 'size', op: 'isNot', text: '2' }, 1],
    [{ column: 'price', op: 'is', text: '0.1' }, 1],
    [{ column: 'id', op: 'is', text: '9007199254740993' }, 1],
    [{ column: 'old', op: 'is', text: 'true' }, 1],
    [{ column: 'old', op: 'is', text: 'false' }, 1],
    [{ column: 'old', op: 'is', text: 'maybe' }, 0],
  ])('%j leave %i rows', async (filter, rows) => {
    watch({ filters: [filter] });
    await pass();
    expect(latest?.total).toBe(rows);
  });

  it.each<Filter>([
    { column: 'name', op: 'gt', value: 1 },
    { column: 'name', op: 'oneOf', values: [1] },
    { column: 'name', op: 'time', from: 1, to: null },
    { column: 'size', op: 'contains', text: 'b' },
    { column: 'gone', op: 'empty' },
  ])('%j are left out where they do not fit the column', async (filter) => {
    watch({ filters: [filter] });
    await pass();
    expect(latest?.total).toBe(3);
  });
});

describe('The different values of a column', () => {
  it('are a table of their own, for which no other handle stays open', async () => {
    const stop = watch({ distinct: 'name', sort: [{ column: 'name', direction: 'asc' }] });
    await pass();
    expect(latest).toMatchObject({ columns: [{ name: 'name' }], rows: [['a'], ['b']], total: 2 });
    expect(server.open('items')).toHaveLength(1);
    stop();
    expect(server.open('items')).toEqual([]);
  });

  it('are those of the rows that pass the filters, on whatever column', async () => {
    watch({ distinct: 'name', filters: [{ column: 'size', op: 'is', text: '2' }] });
    await pass();
    expect(latest).toMatchObject({ rows: [['b'], ['a']], total: 2 });
    watch({ distinct: 'name', filters: [{ column: 'old', op: 'is', text: 'false' }] });
    await pass();
    expect(latest?.rows).toEqual([['a']]);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TableQuery } from '../deephaven/query';
import { TableHub } from '../deephaven/table-hub';
import { MemoryServer } from '../deephaven/testing/memory-server';
import type { LiveRows } from './live-rows';
import { SwitchedRows } from './switched-rows';

let server: MemoryServer;
let hub: TableHub;
let seen: LiveRows<string>[];

const pass = (milliseconds = 50) => vi.advanceTimersByTimeAsync(milliseconds);
const only = (text: string): TableQuery => ({
  table: 'items',
  sort: [],
  filters: [{ column: 'name', op: 'is', text }],
});
const last = () => seen.at(-1)!;

function rows(keep: boolean): SwitchedRows<string> {
  const options = {
    count: 5,
    keep,
    read: (row: { text(column: string): string }) => row.text('name'),
  };
  return new SwitchedRows(hub, options, (next) => seen.push(next));
}

beforeEach(async () => {
  vi.useFakeTimers();
  seen = [];
  server = new MemoryServer();
  server.table('items', { name: 'java.lang.String' }, [{ name: 'a' }, { name: 'b' }]);
  hub = new TableHub(server.login);
  const signedIn = hub.signIn('secret');
  await pass();
  await signedIn;
});

afterEach(() => {
  vi.useRealTimers();
});

describe('SwitchedRows', () => {
  it('keeps the rows until those of the next query are there', async () => {
    const switched = rows(true);
    switched.watch(only('a'));
    await pass();
    switched.watch(only('b'));
    expect(last()).toMatchObject({ rows: ['a'], known: true, state: { kind: 'loading' } });
    await pass();
    expect(last()).toMatchObject({ rows: ['b'], state: { kind: 'live' } });
    expect(seen.every((one) => !one.known || one.rows.length > 0)).toBe(true);
    expect(hub.openViewports).toBe(1);
  });

  it('drops them when they would be taken for something else', async () => {
    const switched = rows(false);
    switched.watch(only('a'));
    await pass();
    switched.watch(only('b'));
    expect(last()).toMatchObject({ rows: [], known: false });
  });

  it('drops them when the next query fails', async () => {
    const switched = rows(true);
    switched.watch(only('a'));
    await pass();
    switched.watch({ ...only('a'), table: 'gone' });
    await pass();
    expect(last()).toMatchObject({ rows: [], state: { kind: 'failed' } });
  });

  it('has the rows at once when another one watches the same', async () => {
    const [first, second] = [rows(false), rows(false)];
    first.watch(only('a'));
    second.watch(only('b'));
    await pass();
    const opens = server.opens;
    first.watch(only('b'));
    expect(last()).toMatchObject({ rows: ['b'], state: { kind: 'live' } });
    second.watch(null);
    expect(last()).toMatchObject({ rows: [], known: false });
    await pass();
    expect([server.opens, hub.openViewports]).toEqual([opens, 1]);
  });

  it('asks for nothing when the query stays the same, and lets go when told to', async () => {
    const switched = rows(true);
    switched.watch(only('a'));
    await pass();
    const count = seen.length;
    switched.watch(only('a'));
    expect(seen).toHaveLength(count);
    switched.stop();
    expect(hub.openViewports).toBe(0);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FeedState, Snapshot } from './feed';
import type { TableQuery } from './query';
import { TableHub } from './table-hub';
import { MemoryServer } from './testing/memory-server';
import type { MemoryRow } from './testing/memory-table';

const TYPES = { userId: 'java.lang.String', age: 'long' };
const QUERY: TableQuery = { table: 'users', sort: [], filters: [] };

let server: MemoryServer;
let hub: TableHub;

const pass = (milliseconds = 50) => vi.advanceTimersByTimeAsync(milliseconds);

/** Publishes a table under its name, and says so in the catalogue. */
function publish(table: string, types: Record<string, string>, rows: MemoryRow[]): void {
  server.table(table, types, rows);
  const catalogue = server.tables.get('catalogue')!;
  const handle = 1 + Math.max(0, ...catalogue.rows.map((row) => Number(row['handle'])));
  catalogue.rows = [...catalogue.rows.filter((row) => row['table'] !== table), { table, handle }];
  server.touch('catalogue');
}

function watch(query: TableQuery) {
  const snapshots: Snapshot[] = [];
  const states: FeedState[] = [];
  const subscription = hub.subscribe(
    query,
    { first: 0, last: 4 },
    { snapshot: (snapshot) => snapshots.push(snapshot), state: (state) => states.push(state) },
  );
  return {
    ...subscription,
    columns: () => snapshots.at(-1)!.columns.map(({ name }) => name),
    totals: () => snapshots.map(({ total }) => total),
    states: () => states.map(({ kind }) => kind),
  };
}

beforeEach(async () => {
  vi.useFakeTimers();
  server = new MemoryServer();
  server.table(
    'catalogue',
    { flow: 'java.lang.String', table: 'java.lang.String', handle: 'long' },
    [],
  );
  publish('users', TYPES, [{ userId: 'a', age: 1 }]);
  hub = new TableHub(server.login, { base: 500, cap: 500, random: () => 1 });
  hub.followCatalogue();
  const signedIn = hub.signIn('secret');
  await pass();
  await signedIn;
});

afterEach(() => {
  vi.useRealTimers();
});

describe('TableHub when a table is published again', () => {
  it('attaches to the new one at once, without a failure or an empty table in between', async () => {
    const users = watch(QUERY);
    await pass();
    publish('users', { ...TYPES, city: 'java.lang.String' }, [{ userId: 'a', age: 1, city: 'x' }]);
    await pass();
    expect(users.columns()).toEqual(['userId', 'age', 'city']);
    expect(users.totals()).not.toContain(0);
    expect(users.states()).toEqual(['loading', 'live']);
    expect(server.open('users')).toHaveLength(1);
  });

  it('leaves out the sort and the filters of columns that are gone', async () => {
    const users = watch({
      ...QUERY,
      sort: [{ column: 'age', direction: 'desc' }],
      filters: [{ column: 'age', op: 'gt', value: 0 }],
    });
    await pass();
    publish('users', { userId: 'java.lang.String' }, [{ userId: 'b' }]);
    await pass();
    expect(users.columns()).toEqual(['userId']);
    expect(users.states()).toEqual(['loading', 'live']);
  });

  it('leaves the viewports of other tables alone', async () => {
    watch(QUERY);
    publish('others', TYPES, [{ userId: 'o', age: 2 }]);
    await pass();
    const opens = server.opens;
    publish('others', TYPES, []);
    await pass();
    expect(server.opens).toBe(opens);
  });

  it('forgets a viewport that was closed', async () => {
    const users = watch(QUERY);
    await pass();
    users.unsubscribe();
    publish('users', TYPES, []);
    await pass();
    expect(server.open('users')).toHaveLength(0);
  });

  it('takes the handles of a server that has started again for new ones', async () => {
    const users = watch(QUERY);
    await pass();
    server.crash();
    server.tables.get('catalogue')!.rows = [{ table: 'users', handle: 7 }];
    server.up = true;
    await pass(2_000);
    expect(users.states()).toEqual(['loading', 'live', 'reconnecting', 'live']);
    expect(server.handles.filter(({ name }) => name === 'users')).toHaveLength(2);
  });
});

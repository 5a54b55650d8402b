import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FeedState, Snapshot } from './feed';
import { HOLD_TIME } from './generation-gate';
import type { RowWindow, TableQuery } from './query';
import { TableHub } from './table-hub';
import { MemoryServer } from './testing/memory-server';

const USERS: TableQuery = { table: 'users', sort: [], filters: [], together: 'customers' };
const ACCOUNTS: TableQuery = { ...USERS, table: 'accounts' };
const TYPES = { userId: 'java.lang.String', generation: 'long' };
const FAR: RowWindow = { first: 900, last: 909 };
const TOP: RowWindow = { first: 0, last: 9 };

let server: MemoryServer;
let hub: TableHub;
/** What all members got, in order, as `table first row..last row of total`. */
let events: string[];

/** Lets time pass, answers included. */
const pass = (milliseconds = 50) => vi.advanceTimersByTimeAsync(milliseconds);

/** What has come since the last call. */
const news = () => events.splice(0);

/** Gives a table the rows of a generation; nobody is told yet. */
function put(table: string, generation: number, count: number): void {
  const rows = Array.from({ length: count }, (_, n) => ({
    userId: `${generation}-${n}`,
    generation,
  }));
  server.tables.get(table)!.rows.splice(0, Infinity, ...rows);
}

/** Flips the view on the server and sends the update of its viewports. */
function flip(table: string, generation: number, count: number): void {
  put(table, generation, count);
  server.touch(table);
}

/** One who watches and stays where they are. */
function watch(query: TableQuery, window: RowWindow = FAR) {
  const snapshots: Snapshot[] = [];
  const states: FeedState[] = [];
  const subscription = hub.subscribe(query, window, {
    snapshot: (snapshot) => {
      snapshots.push(snapshot);
      const { rows, total } = snapshot;
      events.push(`${query.table} ${rows[0]?.[0]}..${rows.at(-1)?.[0]} of ${total}`);
    },
    state: (state) => states.push(state),
  });
  return {
    ...subscription,
    last: () => snapshots.at(-1)!,
    state: () => states.at(-1)!.kind,
  };
}

/** The windows that the viewport of a table has asked for. */
const asked = (table = 'users') => server.open(table)[0]!.viewports;

beforeEach(async () => {
  vi.useFakeTimers();
  events = [];
  server = new MemoryServer();
  for (const table of ['users', 'accounts']) {
    server.table(table, TYPES, []);
    put(table, 1, 1_000);
  }
  hub = new TableHub(server.login, { base: 500, cap: 500, random: () => 1 });
  const signedIn = hub.signIn('secret');
  await pass();
  await signedIn;
});

afterEach(() => {
  vi.useRealTimers();
});

describe('TableHub with a table that ends before the window', () => {
  it('brings the last rows in one go with the new total', async () => {
    const users = watch(USERS);
    await pass();
    news();
    flip('users', 1, 100);
    expect(news()).toEqual([]);
    await pass();
    expect(news()).toEqual(['users 1-90..1-99 of 100']);
    expect(users.last().first).toBe(90);
  });

  it('brings all rows of one that has less than the window', async () => {
    watch(USERS);
    await pass();
    news();
    flip('users', 1, 3);
    await pass();
    expect(news()).toEqual(['users 1-0..1-2 of 3']);
  });

  it('does the same when only the size is told', async () => {
    watch(USERS);
    await pass();
    news();
    put('users', 1, 100);
    server.open('users')[0]!.fire('sizechanged');
    await pass();
    expect(news()).toEqual(['users 1-90..1-99 of 100']);
  });

  it('does the same when less than a page is left of the window', async () => {
    watch(USERS, { ...FAR, page: 5 });
    await pass();
    news();
    flip('users', 1, 905);
    expect(news()).toEqual(['users 1-900..1-904 of 905']);
    flip('users', 1, 904);
    expect(news()).toEqual([]);
    await pass();
    expect(news()).toEqual(['users 1-894..1-903 of 904']);
  });

  it('does the same for the first rows it gets, and is live only then', async () => {
    put('users', 1, 100);
    server.delay = 20;
    const users = watch(USERS);
    await pass(50);
    expect([users.state(), ...news()]).toEqual(['loading']);
    await pass(50);
    expect([users.state(), ...news()]).toEqual(['live', 'users 1-90..1-99 of 100']);
  });

  it('asks once and then leaves it, whatever changes', async () => {
    const users = watch(USERS);
    await pass();
    flip('users', 1, 100);
    await pass();
    server.touch('users');
    server.touch('users');
    users.moveTo({ first: 800, last: 809 });
    await pass();
    expect(asked()).toEqual([
      [900, 909],
      [90, 99],
    ]);
  });

  it('goes where the member moves to', async () => {
    const users = watch(USERS);
    await pass();
    flip('users', 1, 100);
    await pass();
    users.moveTo({ first: 88, last: 97 });
    await pass();
    expect(asked()).toHaveLength(3);
    expect(users.last().first).toBe(88);
    server.touch('users');
    await pass();
    expect(asked()).toHaveLength(3);
  });

  it('publishes on when the member moves to the very rows it got', async () => {
    const users = watch(USERS);
    await pass();
    flip('users', 1, 100);
    await pass();
    users.moveTo({ first: 90, last: 99 });
    news();
    server.touch('users');
    expect(news()).toEqual(['users 1-90..1-99 of 100']);
  });

  it('covers the members that are not behind the end too', async () => {
    watch(USERS, { first: 50, last: 59 });
    watch(USERS);
    await pass();
    news();
    flip('users', 1, 100);
    expect(new Set(news())).toEqual(new Set(['users 1-50..1-99 of 100']));
    flip('users', 1, 40);
    expect(news()).toEqual([]);
    await pass();
    expect(new Set(news())).toEqual(new Set(['users 1-30..1-39 of 40']));
  });
});

describe('TableHub with a table that changes again meanwhile', () => {
  beforeEach(async () => {
    watch(USERS);
    await pass();
    news();
    server.delay = 20;
    flip('users', 1, 100);
    await pass(10);
  });

  it('asks again when it shrinks', async () => {
    put('users', 1, 50);
    await pass(20);
    expect(news()).toEqual([]);
    await pass(20);
    expect(news()).toEqual(['users 1-40..1-49 of 50']);
  });

  it('brings the empty table when it becomes empty', async () => {
    put('users', 1, 0);
    await pass(20);
    expect(news()).toEqual(['users undefined..undefined of 0']);
  });

  it('publishes what comes when it grows, then follows its end', async () => {
    put('users', 1, 105);
    await pass(20);
    expect(news()).toEqual(['users 1-90..1-99 of 105']);
    await pass(20);
    expect(news()).toEqual(['users 1-95..1-104 of 105']);
  });

  it('goes back to the member’s window when the table reaches it again', async () => {
    put('users', 1, 1_000);
    await pass(20);
    expect(news()).toEqual([]);
    await pass(20);
    expect(news()).toEqual(['users 1-900..1-909 of 1000']);
  });

  it('goes back there also later', async () => {
    await pass(50);
    news();
    flip('users', 1, 1_000);
    expect(news()).toEqual([]);
    await pass(20);
    expect(news()).toEqual(['users 1-900..1-909 of 1000']);
  });

  it('finds the last rows after a restart of the server', async () => {
    server.crash();
    server.up = true;
    await pass(2_000);
    expect(news()).toEqual(['users 1-90..1-99 of 100']);
  });
});

describe('TableHub in a swap to fewer rows than the window', () => {
  beforeEach(async () => {
    watch(USERS);
    watch(ACCOUNTS, TOP);
    await pass();
    news();
    server.delay = 20;
  });

  const SWAPPED = ['users 2-90..2-99 of 100', 'accounts 2-0..2-9 of 1000'];

  it('lets the other viewports wait for the last rows', async () => {
    flip('users', 2, 100);
    flip('accounts', 2, 1_000);
    await pass(10);
    expect(news()).toEqual([]);
    await pass(10);
    expect(news()).toEqual(SWAPPED);
  });

  it('holds the last rows for the other viewports', async () => {
    flip('users', 2, 100);
    await pass(30);
    expect(news()).toEqual([]);
    flip('accounts', 2, 1_000);
    expect(news()).toEqual(SWAPPED);
  });

  it('lets nobody wait longer than the hold time', async () => {
    server.delay = HOLD_TIME + 50;
    flip('users', 2, 100);
    flip('accounts', 2, 1_000);
    await pass(HOLD_TIME - 1);
    expect(news()).toEqual([]);
    await pass(1);
    expect(news()).toEqual(SWAPPED.slice(1));
    await pass(50);
    expect(news()).toEqual(SWAPPED.slice(0, 1));
  });

  it('drops rows that are held when the table ends before them', async () => {
    flip('users', 2, 950);
    flip('users', 2, 100);
    flip('accounts', 2, 1_000);
    expect(news()).toEqual([]);
    await pass(20);
    expect(news()).toEqual(SWAPPED);
  });

  it('changes several that are behind their ends at once', async () => {
    watch({ ...USERS, sort: [{ column: 'generation', direction: 'asc' }] });
    await pass();
    news();
    flip('accounts', 2, 1_000);
    flip('users', 2, 100);
    expect(news()).toEqual([]);
    await pass(20);
    expect(news()).toHaveLength(3);
  });

  it('shows nothing of a swap that is taken back meanwhile', async () => {
    flip('users', 2, 100);
    await pass(30);
    flip('users', 1, 1_000);
    await pass(HOLD_TIME * 2);
    expect(news()).toEqual(['users 1-900..1-909 of 1000']);
  });
});

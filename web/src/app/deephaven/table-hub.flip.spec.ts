import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FeedState, Snapshot } from './feed';
import { HOLD_TIME } from './generation-gate';
import type { TableQuery } from './query';
import { TableHub } from './table-hub';
import { MemoryServer } from './testing/memory-server';

const USERS: TableQuery = { table: 'users', sort: [], filters: [], together: 'customers' };
const ACCOUNTS: TableQuery = { ...USERS, table: 'accounts' };
const TYPES = { userId: 'java.lang.String', generation: 'long' };

let server: MemoryServer;
let hub: TableHub;
let events: string[];

/** Lets time pass, answers included. */
const pass = (milliseconds = 50) => vi.advanceTimersByTimeAsync(milliseconds);

/** Gives a table the rows of a generation; nobody is told yet. */
function put(table: string, generation: number, count = 30): void {
  const rows = Array.from({ length: count }, (_, n) => ({
    userId: `${generation}-${n}`,
    generation,
  }));
  server.tables.get(table)!.rows.splice(0, Infinity, ...rows);
}

/** Flips the view on the server and sends the update of its viewports. */
function flip(table: string, generation: number, count?: number): void {
  put(table, generation, count);
  server.touch(table);
}

/** One who watches; `top` is the first row they see, `total` the size beside it. */
function watch(query: TableQuery) {
  const snapshots: Snapshot[] = [];
  const states: FeedState[] = [];
  const subscription = hub.subscribe(
    query,
    { first: 0, last: 4 },
    {
      snapshot: (snapshot) => {
        snapshots.push(snapshot);
        events.push(`${query.table} ${snapshot.rows[0]?.[0]} of ${snapshot.total}`);
      },
      state: (state) => states.push(state),
    },
  );
  return {
    ...subscription,
    last: () => snapshots.at(-1)!,
    top: () => snapshots.at(-1)?.rows[0]?.[0],
    total: () => snapshots.at(-1)!.total,
    state: () => states.at(-1)!.kind,
  };
}

beforeEach(async () => {
  vi.useFakeTimers();
  events = [];
  server = new MemoryServer();
  for (const table of ['users', 'accounts']) {
    server.table(table, TYPES, []);
    put(table, 1);
  }
  hub = new TableHub(server.login, { base: 500, cap: 500, random: () => 1 });
  const signedIn = hub.signIn('secret');
  await pass();
  await signedIn;
});

afterEach(() => {
  vi.useRealTimers();
});

describe('TableHub in a swap', () => {
  it('shows it in all viewports of a flow at once', async () => {
    const users = watch(USERS);
    const accounts = watch(ACCOUNTS);
    await pass();
    flip('users', 2);
    await pass(80);
    expect(users.top()).toBe('1-0');
    flip('accounts', 2);
    expect(users.top()).toBe('2-0');
    expect(accounts.top()).toBe('2-0');
  });

  it('lets viewports of other flows and of none go their own way', async () => {
    const users = watch(USERS);
    const other = watch({ ...ACCOUNTS, together: 'other' });
    const alone = watch({ ...ACCOUNTS, together: undefined });
    await pass();
    flip('users', 2);
    flip('accounts', 3);
    expect([users.top(), other.top(), alone.top()]).toEqual(['2-0', '3-0', '3-0']);
    expect(server.opens).toBe(3);
  });

  it('asks for the generation with any columns and keeps it out of the rows', async () => {
    const all = watch(USERS);
    const some = watch({ ...USERS, columns: ['userId'] });
    const ordinary = watch({ ...USERS, together: undefined });
    await pass();
    flip('users', 2);
    for (const { last } of [all, some]) {
      expect(last().columns.map(({ name }) => name)).toEqual(['userId']);
      expect(last().rows[0]).toEqual(['2-0']);
    }
    expect(ordinary.last().rows[0]).toEqual(['2-0', 2]);
  });

  it('says so when a view of a flow has no generation', async () => {
    server.table('old', { userId: 'java.lang.String' }, []);
    const old = watch({ ...USERS, table: 'old' });
    await pass();
    expect(old.state()).toBe('failed');
    expect(server.open()).toHaveLength(0);
  });

  it('shows no new total beside old rows', async () => {
    const users = watch(USERS);
    watch(ACCOUNTS);
    await pass();
    events = [];
    flip('users', 2, 50);
    await pass(10);
    server.tables.get('users')!.rows.push({ userId: 'last', generation: 2 });
    server.open('users')[0]!.fire('sizechanged');
    await pass(10);
    expect(events).toEqual([]);
    expect(users.total()).toBe(30);
    flip('accounts', 2, 60);
    expect(events).toEqual(['users 2-0 of 51', 'accounts 2-0 of 60']);
  });

  it('shows no new total beside old rows when the rows are dropped for a moved window', async () => {
    const users = watch(USERS);
    await pass();
    events = [];
    server.delay = 20;
    users.moveTo({ first: 10, last: 14 });
    put('users', 2, 50);
    server.open('users')[0]!.answer(0, 4);
    await pass(30);
    expect(events).toEqual(['users 2-10 of 50']);
  });

  it('hands a latecomer the rows that the others see', async () => {
    watch(USERS);
    watch(ACCOUNTS);
    await pass();
    flip('users', 2);
    expect(watch(USERS).top()).toBe('1-0');
  });

  it('scrolls without delay, and in the held generation with the flip', async () => {
    const users = watch(USERS);
    const accounts = watch(ACCOUNTS);
    await pass();
    flip('users', 2);
    users.moveTo({ first: 10, last: 14 });
    accounts.moveTo({ first: 20, last: 24 });
    await pass(10);
    expect([users.top(), accounts.top()]).toEqual(['1-0', '1-20']);
    flip('accounts', 2);
    expect([users.top(), accounts.top()]).toEqual(['2-10', '2-20']);
  });

  it('does not wait for a viewport that is filtered to no rows', async () => {
    const users = watch(USERS);
    const none = watch({ ...ACCOUNTS, filters: [{ column: 'userId', op: 'contains', text: '?' }] });
    await pass();
    flip('users', 2);
    expect(users.top()).toBe('2-0');
    expect(none.state()).toBe('live');
  });

  it('does not wait for a viewport that loads its first rows', async () => {
    const users = watch(USERS);
    await pass();
    server.mute = true;
    watch(ACCOUNTS);
    await pass();
    flip('users', 2);
    expect(users.top()).toBe('2-0');
  });

  it('waits no longer for a viewport that is closed or fails', async () => {
    const users = watch(USERS);
    const accounts = watch(ACCOUNTS);
    const sorted = watch({ ...ACCOUNTS, sort: [{ column: 'userId', direction: 'desc' }] });
    await pass();
    flip('users', 2);
    accounts.unsubscribe();
    expect(users.top()).toBe('1-0');
    server.open('accounts')[0]!.fire('disconnect');
    expect(users.top()).toBe('2-0');
    put('accounts', 2);
    await pass(600);
    expect(sorted.state()).toBe('live');
    expect(sorted.top()).toMatch('2-');
  });

  it('waits no longer than the hold time for a viewport that is silent', async () => {
    const users = watch(USERS);
    const accounts = watch(ACCOUNTS);
    await pass();
    flip('users', 2);
    await pass(HOLD_TIME - 1);
    expect(users.top()).toBe('1-0');
    await pass(1);
    expect(users.top()).toBe('2-0');
    flip('accounts', 2);
    expect(accounts.top()).toBe('2-0');
  });

  it('keeps the rows that go together when the server dies in between', async () => {
    const users = watch(USERS);
    const accounts = watch(ACCOUNTS);
    await pass();
    flip('accounts', 2);
    server.crash();
    await pass(HOLD_TIME * 2);
    expect([users.top(), accounts.top()]).toEqual(['1-0', '1-0']);
    expect(users.state()).toBe('reconnecting');
    put('users', 2);
    server.up = true;
    await pass(2_000);
    expect([users.top(), accounts.top()]).toEqual(['2-0', '2-0']);
  });

  it('leaves no timer behind when the last one closes', async () => {
    const users = watch(USERS);
    const accounts = watch(ACCOUNTS);
    await pass();
    accounts.unsubscribe();
    const before = vi.getTimerCount();
    const again = watch(ACCOUNTS);
    await pass();
    flip('users', 2);
    expect(vi.getTimerCount()).toBe(before + 1);
    users.unsubscribe();
    again.unsubscribe();
    expect(vi.getTimerCount()).toBe(before);
  });
});

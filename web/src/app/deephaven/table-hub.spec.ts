import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FeedState, Snapshot } from './feed';
import type { RowWindow, TableQuery } from './query';
import { TableHub } from './table-hub';
import { MemoryServer } from './testing/memory-server';
import { ANSWER_TIMEOUT, ATTACH_TIMEOUT } from './viewport';

const USERS: TableQuery = { table: 'users', sort: [], filters: [] };
const TOP: RowWindow = { first: 0, last: 9 };

let server: MemoryServer;
let hub: TableHub;

/** One who watches, and what they were told. */
function watch(query: TableQuery = USERS, window: RowWindow = TOP) {
  const snapshots: Snapshot[] = [];
  const states: FeedState[] = [];
  const subscription = hub.subscribe(query, window, {
    snapshot: (snapshot) => snapshots.push(snapshot),
    state: (state) => states.push(state),
  });
  return {
    ...subscription,
    snapshots,
    states,
    last: () => snapshots.at(-1)!,
    state: () => states.at(-1)!,
    ids: () => snapshots.at(-1)!.rows.map((row) => row[0]),
  };
}

/** Lets time pass, answers included. */
const pass = (milliseconds = 50) => vi.advanceTimersByTimeAsync(milliseconds);

beforeEach(async () => {
  vi.useFakeTimers();
  server = new MemoryServer();
  const rows = Array.from({ length: 100 }, (_, n) => ({ userId: `U${n}`, age: n % 10 }));
  server.table('users', { userId: 'java.lang.String', age: 'long' }, rows);
  server.table('accounts', { userId: 'java.lang.String' }, [{ userId: 'A0' }]);
  hub = new TableHub(server.login, { base: 500, cap: 5_000, random: () => 1 });
  const signedIn = hub.signIn('secret');
  await pass();
  await signedIn;
});

afterEach(() => {
  vi.useRealTimers();
});

describe('TableHub reading', () => {
  it('brings the rows of a window with the size of the whole table', async () => {
    const users = watch(USERS, { first: 20, last: 22 });
    expect(users.state()).toEqual({ kind: 'loading' });
    await pass();
    expect(users.state()).toEqual({ kind: 'live' });
    expect(users.last()).toMatchObject({ first: 20, total: 100 });
    expect(users.ids()).toEqual(['U20', 'U21', 'U22']);
  });

  it('asks the server to sort, filter and choose columns', async () => {
    const users = watch({
      table: 'users',
      columns: ['userId'],
      sort: [{ column: 'userId', direction: 'desc' }],
      filters: [
        { column: 'age', op: 'between', low: 3, high: 3 },
        { column: 'userId', op: 'contains', text: 'u1' },
      ],
    });
    await pass();
    expect(users.last().columns).toEqual([{ name: 'userId', kind: 'text' }]);
    expect(users.last().rows).toEqual([['U13']]);
  });

  it('compares a text as it is, whatever stands in it', async () => {
    const only = (text: string) =>
      watch({ ...USERS, filters: [{ column: 'userId', op: 'is', text }] });
    const [exact, lower, code] = [only('U1'), only('u1'), only('U1` || true || `')];
    await pass();
    expect(exact.ids()).toEqual(['U1']);
    expect(lower.last().total).toBe(0);
    expect(code.last().total).toBe(0);
  });

  it('asks for changes as often as the query says', async () => {
    watch();
    watch({ ...USERS, interval: 250 });
    await pass();
    expect(server.open('users').map(({ intervals }) => intervals)).toEqual([[10], [250]]);
  });

  it('follows the table as it changes', async () => {
    const users = watch();
    await pass();
    server.tables.get('users')!.rows.unshift({ userId: 'NEW', age: 1 });
    server.touch('users');
    expect(users.ids()[0]).toBe('NEW');
    expect(users.last().total).toBe(101);
  });

  it('tells the new size even when no visible row changes', async () => {
    const users = watch();
    await pass();
    server.tables.get('users')!.rows.push({ userId: 'LAST', age: 1 });
    server.open('users')[0]!.fire('sizechanged');
    await pass(0);
    expect(users.last().total).toBe(101);
  });

  it('says which column is missing and closes the handle', async () => {
    const users = watch({ ...USERS, columns: ['nope'] });
    await pass();
    expect(users.state()).toMatchObject({
      kind: 'failed',
      reason: 'Table users has no column nope.',
    });
    expect(server.open()).toHaveLength(0);
  });
});

describe('TableHub sharing', () => {
  it('opens one viewport for the same query and covers every window', async () => {
    const first = watch(USERS, { first: 0, last: 4 });
    const second = watch(USERS, { first: 8, last: 9 });
    await pass();
    expect(server.opens).toBe(1);
    expect(first.last().rows).toHaveLength(10);
    expect(second.last().rows).toHaveLength(10);
  });

  it('opens another viewport for another sort', async () => {
    watch();
    watch({ ...USERS, sort: [{ column: 'age', direction: 'asc' }] });
    await pass();
    expect(hub.openViewports).toBe(2);
  });

  it('hands a latecomer the rows that are there', async () => {
    watch();
    await pass();
    expect(watch().ids()[0]).toBe('U0');
  });

  it('closes the viewport with its last subscriber and not before', async () => {
    const first = watch();
    const second = watch();
    await pass();
    first.unsubscribe();
    first.unsubscribe();
    expect(server.open('users')).toHaveLength(1);
    second.unsubscribe();
    expect(server.open('users')).toHaveLength(0);
    expect(hub.openViewports).toBe(0);
  });

  it('closes a handle that arrives after everybody has left', async () => {
    const users = watch();
    await pass(2);
    users.unsubscribe();
    await pass();
    expect(server.handles).toHaveLength(1);
    expect(server.open()).toHaveLength(0);
  });
});

describe('TableHub scrolling', () => {
  it('keeps one window under way and sends only the newest of the rest', async () => {
    server.delay = 20;
    const users = watch();
    await pass(100);
    for (let first = 10; first <= 50; first += 10) {
      users.moveTo({ first, last: first + 9 });
    }
    await pass(100);
    expect(server.open('users')[0]!.viewports).toEqual([
      [0, 9],
      [10, 19],
      [50, 59],
    ]);
    expect(users.last().first).toBe(50);
  });

  it('asks for nothing when the window stays the same', async () => {
    const users = watch();
    await pass();
    users.moveTo({ ...TOP });
    await pass();
    expect(server.open('users')[0]!.viewports).toHaveLength(1);
  });

  it('drops rows of a window that a newer one has replaced', async () => {
    const users = watch();
    await pass();
    const before = users.snapshots.length;
    users.moveTo({ first: 40, last: 49 });
    server.open('users')[0]!.answer(0, 9);
    expect(users.snapshots).toHaveLength(before);
    await pass();
    expect(users.last().first).toBe(40);
  });
});

describe('TableHub failing tables', () => {
  it('attaches again, once, when the server closes a table', async () => {
    const users = watch();
    await pass();
    const handle = server.open('users')[0]!;
    handle.fire('requestfailed');
    handle.fire('disconnect');
    handle.fire('reconnectfailed');
    expect(users.state()).toMatchObject({ kind: 'failed' });
    await pass(600);
    expect(users.state()).toEqual({ kind: 'live' });
    expect(server.opens).toBe(2);
    expect(server.mostOpening).toBe(1);
    expect(server.logins).toBe(1);
    expect(server.open('users')).toHaveLength(1);
  });

  it('waits longer after every failure, and picks the table up once it is there', async () => {
    const late = watch({ ...USERS, table: 'late' });
    await pass(400);
    expect(server.opens).toBe(1);
    await pass(200);
    expect(server.opens).toBe(2);
    await pass(600);
    expect(server.opens).toBe(2);
    server.table('late', { userId: 'java.lang.String' }, [{ userId: 'L0' }]);
    await pass(1_000);
    expect(late.ids()).toEqual(['L0']);
  });

  it('gives up on an attach that never answers and tries again', async () => {
    server.silent = true;
    const users = watch();
    await pass(ATTACH_TIMEOUT - 100);
    expect(server.opens).toBe(1);
    await pass(200);
    expect(users.state()).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('no answer') as string,
    });
    server.silent = false;
    await pass(600);
    expect(users.state()).toEqual({ kind: 'live' });
    expect(server.opens).toBe(2);
  });

  it('shows the columns that a table has when it is published anew with others', async () => {
    const users = watch();
    await pass();
    const handle = server.open('users')[0]!;
    server.table('users', { userId: 'java.lang.String', city: 'java.lang.String' }, [
      { userId: 'U0', city: 'Bern' },
    ]);
    handle.fire('disconnect');
    await pass(600);
    expect(users.last()).toMatchObject({
      columns: [
        { name: 'userId', kind: 'text' },
        { name: 'city', kind: 'text' },
      ],
      rows: [['U0', 'Bern']],
      total: 1,
    });
    expect(users.state()).toEqual({ kind: 'live' });
  });

  it('attaches again when the rows of a window never come', async () => {
    server.mute = true;
    const users = watch();
    await pass(ANSWER_TIMEOUT + 100);
    expect(users.state()).toMatchObject({ kind: 'failed' });
    server.mute = false;
    await pass(1_000);
    expect(users.state()).toEqual({ kind: 'live' });
    const intervals = server.handles.flatMap((handle) => handle.intervals);
    expect(new Set(intervals).size).toBe(intervals.length);
  });

  it('stops trying when nobody watches any more', async () => {
    const gone = watch({ ...USERS, table: 'gone' });
    await pass(100);
    gone.unsubscribe();
    await pass(60_000);
    expect(server.opens).toBe(1);
  });
});

describe('TableHub after a server restart', () => {
  it('logs in once for all tables and shows the same windows again', async () => {
    const users = watch(USERS, { first: 30, last: 39 });
    const accounts = watch({ ...USERS, table: 'accounts' });
    const sorted = watch({ ...USERS, sort: [{ column: 'age', direction: 'desc' }] });
    await pass();
    server.crash();
    expect(users.state()).toEqual({ kind: 'reconnecting' });
    await pass(3_000);
    server.up = true;
    const before = server.logins;
    await pass(6_000);
    expect(server.logins).toBe(before + 1);
    for (const watcher of [users, accounts, sorted]) {
      expect(watcher.state()).toEqual({ kind: 'live' });
    }
    expect(users.ids()[0]).toBe('U30');
    expect(server.open()).toHaveLength(3);
  });

  it('drops a table of the old session that arrives late', async () => {
    server.delay = 200;
    const users = watch();
    await pass(100);
    server.crash();
    server.up = true;
    await pass(5_000);
    expect(users.state()).toEqual({ kind: 'live' });
    expect(server.open('users')).toHaveLength(1);
  });

  it('hears a table of the old session to its end, and does nothing about it', async () => {
    const users = watch();
    await pass();
    const old = server.open('users')[0]!;
    server.crash();
    server.up = true;
    await pass(5_000);
    expect(old.hears('requestfailed')).toBe(true);
    old.fire('requestfailed');
    await pass(5_000);
    expect(users.state()).toEqual({ kind: 'live' });
    expect(server.opens).toBe(2);
  });
});

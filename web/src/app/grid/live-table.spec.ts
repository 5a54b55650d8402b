import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TableHub } from '../deephaven/table-hub';
import { MemoryServer } from '../deephaven/testing/memory-server';
import { Frames } from './frames';
import type { GridView } from './grid-view';
import { LiveTable, TYPING_PAUSE } from './live-table';
import { FLASH_TIME } from './row-models';
import { ROW_HEIGHT } from './row-scroll';
import type { TableSpec } from './table-spec';

const SPEC: TableSpec = {
  table: 'users',
  key: ['userId'],
  columns: [
    { name: 'userId', label: 'User' },
    { name: 'age', label: 'Age', tone: 'change' },
    { name: 'ts', label: 'Time' },
    { name: 'topic', label: 'Topic', hidden: true },
  ],
  empty: 'No users yet.',
};

let server: MemoryServer;
let table: LiveTable;
let view: GridView;
let draws: number;
let latencies: number[];

const pass = (milliseconds = 100) => vi.advanceTimersByTimeAsync(milliseconds);
const column = (index: number) => view.rows.map((row) => row.cells?.[index]?.text);
const rows = () => server.tables.get('users')!.rows;
const nanos = (milliseconds: number) => `${milliseconds}000000`;

beforeEach(async () => {
  vi.useFakeTimers();
  server = new MemoryServer();
  const types = {
    userId: 'java.lang.String',
    age: 'long',
    ts: 'java.time.Instant',
    topic: 'String',
  };
  const data = Array.from({ length: 500 }, (_, n) => ({
    userId: `U${n}`,
    age: n,
    ts: nanos(n),
    topic: 'users',
  }));
  server.table('users', types, data);
  const hub = new TableHub(server.login, { base: 500, cap: 500, random: () => 1 });
  const signedIn = hub.signIn('secret');
  await pass();
  await signedIn;
  const frames = new Frames((callback) => setTimeout(callback, 16), vi.fn(), Date.now);
  draws = 0;
  latencies = [];
  table = new LiveTable(SPEC, hub, frames, {
    draw: (next) => {
      view = next;
      draws++;
    },
    drawn: vi.fn(),
    painted: (times, now) => latencies.push(...times.map((time) => now - time)),
    newest: vi.fn(),
  });
  table.resize(10 * ROW_HEIGHT);
  await pass();
});

afterEach(() => {
  table.close();
  vi.useRealTimers();
});

describe('LiveTable', () => {
  it('colours a number by the way it last went', async () => {
    const tones = () => view.rows.slice(0, 2).map((row) => row.cells?.[1]?.tone);
    expect(tones()).toEqual(['', '']);
    rows()[0]!['age'] = 5;
    rows()[1]!['age'] = -5;
    server.touch('users');
    await pass(FLASH_TIME * 2);
    expect(tones()).toEqual(['tone-up went-up', 'tone-down went-down']);
  });

  it('keeps what the viewer typed when the page restricts it, and says when nothing is left', async () => {
    table.typeFilter('userId', 'u1');
    await pass(2 * TYPING_PAUSE);
    table.restrict([{ column: 'userId', op: 'is', text: 'U17' }]);
    await pass();
    expect(column(0)).toEqual(['U17']);
    table.typeFilter('userId', '');
    table.restrict([{ column: 'userId', op: 'is', text: "' || true" }]);
    await pass(2 * TYPING_PAUSE);
    expect(view).toMatchObject({ state: 'empty', message: 'No users yet.' });
  });

  it('draws the visible rows of the whole table', () => {
    expect(column(0)).toEqual(['U0', 'U1', 'U2', 'U3', 'U4', 'U5', 'U6', 'U7', 'U8', 'U9']);
    expect(view).toMatchObject({ state: 'live', total: 500, from: 1, to: 10 });
    expect(view.columns.map(({ name }) => name)).toEqual(['userId', 'age', 'ts']);
  });

  it('reaches the last row', async () => {
    table.goTo('last');
    await pass();
    expect(column(0).at(-1)).toBe('U499');
  });

  it('draws once per frame however many updates come', async () => {
    const before = draws;
    for (let n = 0; n < 50; n++) {
      server.touch('users');
    }
    await pass(20);
    expect(draws).toBe(before + 1);
  });

  it('sorts on the server: ascending, descending, none', async () => {
    table.toggleSort('age');
    await pass();
    table.toggleSort('age');
    await pass();
    expect(column(0)[0]).toBe('U499');
    expect(view.columns[1]).toMatchObject({ sorted: 'descending' });
    table.toggleSort('age');
    await pass();
    expect(column(0)[0]).toBe('U0');
    expect(view.columns[1]).toMatchObject({ sorted: 'none' });
    expect(server.open('users')).toHaveLength(1);
  });

  it('keeps the old rows on screen, marked as stale, until the new ones come', async () => {
    server.delay = 300;
    table.toggleSort('age');
    await pass(50);
    expect(view.stale).toBe(true);
    expect(column(0)[0]).toBe('U0');
    await pass(1_000);
    expect(view.stale).toBe(false);
  });

  it('filters once the typing rests', async () => {
    const opens = server.opens;
    table.typeFilter('age', '>');
    table.typeFilter('age', '>49');
    table.typeFilter('age', '>497');
    await pass(TYPING_PAUSE + 100);
    expect(column(0)).toEqual(['U498', 'U499']);
    expect(server.opens).toBe(opens + 1);
  });

  it('shows what is wrong with a filter and filters by nothing', async () => {
    table.typeFilter('age', 'old');
    await pass(TYPING_PAUSE + 100);
    expect(view.columns[1]?.filterError).toContain('Not understood');
    expect(view.total).toBe(500);
  });

  it('stays where it is and asks for nothing when a filter is half typed', async () => {
    table.scrolledTo(200 * ROW_HEIGHT);
    await pass();
    const [opens, first] = [server.opens, view.rows[0]?.index];
    table.typeFilter('age', '>');
    await pass(TYPING_PAUSE + 100);
    expect(server.opens).toBe(opens);
    expect(view.rows[0]?.index).toBe(first);
    expect(view.columns[1]?.filterError).toContain('Not understood');
  });

  it('filters no longer by a column that is hidden', async () => {
    table.typeFilter('age', '>497');
    await pass(TYPING_PAUSE + 100);
    expect(view.total).toBe(2);
    table.setHidden('age', true);
    await pass();
    expect(view.total).toBe(500);
    table.setHidden('age', false);
    await pass();
    expect(view).toMatchObject({ state: 'live', total: 500 });
  });

  it('says so when no row matches', async () => {
    table.typeFilter('userId', 'nobody');
    await pass(TYPING_PAUSE + 100);
    expect(view).toMatchObject({ state: 'empty', message: 'No row matches the filter.' });
  });

  it('tints a changed cell for a while', async () => {
    rows()[2]!['age'] = 99;
    server.touch('users');
    await pass(20);
    expect(view.rows[2]?.cells?.[1]?.flash).toBe('flash-up');
    await pass(FLASH_TIME + 100);
    expect(view.rows[2]?.cells?.[1]?.flash).toBe('');
  });

  it('keeps scroll, sort, filter and cursor over a server restart', async () => {
    table.typeFilter('userId', 'U');
    await pass(TYPING_PAUSE + 100);
    table.toggleSort('age');
    await pass();
    table.scrolledTo(200 * ROW_HEIGHT);
    table.pick(203, 1, false);
    await pass();
    const before = column(0);
    server.crash();
    await pass(20);
    expect(view.state).toBe('reconnecting');
    expect(column(0)).toEqual(before);
    server.up = true;
    await pass(2_000);
    expect(view.state).toBe('live');
    expect(column(0)).toEqual(before);
    expect(view.cursor).toMatchObject({ row: 203, column: 1 });
    expect(view.columns[1]).toMatchObject({ sorted: 'ascending' });
  });

  it('keeps the cursor on its row when rows above come and go', async () => {
    table.pick(3, 0, false);
    rows().unshift({ userId: 'NEW', age: 1, ts: null, topic: 'users' });
    server.touch('users');
    await pass(20);
    expect(view.cursor).toMatchObject({ row: 4 });
    expect(view.rows[4]?.selected).toBe(true);
  });

  it('moves the cursor by keys and scrolls along', async () => {
    table.press('End', false);
    await pass();
    expect(view.cursor).toMatchObject({ row: 499 });
    expect(column(0).at(-1)).toBe('U499');
  });

  it('copies the cell under the cursor, or the selected rows', () => {
    table.pick(3, 0, false);
    expect(table.copyText()).toBe('U3');
    table.pick(4, 0, true);
    expect(table.copyText()?.split('\n')).toEqual([
      'U3\t3\t1970-01-01T00:00:00.003Z',
      'U4\t4\t1970-01-01T00:00:00.004Z',
    ]);
  });

  it('writes the visible rows as CSV', () => {
    const lines = table.csv().trim().split('\r\n');
    expect(lines[0]).toBe('userId,age,ts');
    expect(lines).toHaveLength(11);
  });

  it('shows a hidden column when asked, but never hides the last one', async () => {
    table.setHidden('topic', false);
    await pass();
    expect(view.columns.map(({ name }) => name)).toContain('topic');
    for (const { name } of table.query.choices()) {
      table.setHidden(name, true);
    }
    await pass();
    expect(view.columns).toHaveLength(1);
  });

  it('does not count what waited to be painted while the page was hidden', async () => {
    rows()[1]!['ts'] = nanos(Date.now() - 40);
    server.touch('users');
    await pass(20);
    table.skipMeasuring();
    await pass(100);
    expect(latencies).toEqual([]);
  });

  it('measures from the event to the frame after its painting', async () => {
    rows()[1]!['ts'] = nanos(Date.now() - 40);
    server.touch('users');
    await pass(100);
    expect(latencies.map(Math.round)).toEqual([72]);
  });
});

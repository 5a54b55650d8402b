import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TableHub } from '../deephaven/table-hub';
import { MemoryServer } from '../deephaven/testing/memory-server';
import { Frames } from './frames';
import type { GridView } from './grid-view';
import { LiveTable } from './live-table';
import { ROW_HEIGHT } from './row-scroll';
import type { TableSpec } from './table-spec';

const USERS: TableSpec = {
  table: 'users_ui',
  key: ['userId'],
  columns: [{ name: 'userId', label: 'User' }],
  together: 'customers',
};
const ACCOUNTS: TableSpec = { ...USERS, table: 'accounts_ui' };
const PAGE = 10;

let server: MemoryServer;
let hub: TableHub;
let frames: Frames;
let grids: LiveTable[];

const pass = (milliseconds = 200) => vi.advanceTimersByTimeAsync(milliseconds);

/** A grid, and what the frames since the last call have drawn. */
function grid(spec: TableSpec) {
  let views: { at: number; view: GridView }[] = [];
  const table = new LiveTable(spec, hub, frames, {
    draw: (view) => views.push({ at: Date.now(), view }),
    drawn: vi.fn(),
    painted: vi.fn(),
    newest: vi.fn(),
  });
  grids.push(table);
  table.resize(PAGE * ROW_HEIGHT);
  return {
    table,
    drawn: () => {
      const drawn = views.map(({ at, view }) => ({
        at,
        total: view.total,
        cells: view.rows.map(({ cells }) => cells?.[0]?.text ?? 'blank'),
      }));
      views = [];
      return drawn;
    },
  };
}

type Drawn = ReturnType<ReturnType<typeof grid>['drawn']>;

/** Checks that every frame shows a page of rows, and returns the first row of the last frame. */
function topOf(drawn: Drawn, page = PAGE): string {
  expect(drawn.length).toBeGreaterThan(0);
  for (const { cells } of drawn) {
    expect(cells).not.toContain('blank');
    expect(cells.length).toBeGreaterThanOrEqual(page);
  }
  return drawn.at(-1)!.cells[0]!;
}

/** Shows so many rows of a generation. */
function flip(table: string, generation: number, count: number): void {
  const rows = Array.from({ length: count }, (_, n) => ({
    userId: `g${generation}-${n}`,
    generation,
  }));
  server.tables.get(table)!.rows.splice(0, Infinity, ...rows);
  server.touch(table);
}

beforeEach(async () => {
  vi.useFakeTimers();
  server = new MemoryServer();
  server.delay = 40;
  grids = [];
  for (const table of ['users_ui', 'accounts_ui']) {
    server.table(table, { userId: 'java.lang.String', generation: 'long' }, []);
    flip(table, 1, 1_000);
  }
  hub = new TableHub(server.login);
  frames = new Frames((callback) => setTimeout(callback, 16), vi.fn(), Date.now);
  const signedIn = hub.signIn('secret');
  await pass();
  await signedIn;
});

afterEach(() => {
  grids.forEach((table) => table.close());
  vi.useRealTimers();
});

describe('A grid far down in a table that shrinks', () => {
  let users: ReturnType<typeof grid>;

  beforeEach(async () => {
    users = grid(USERS);
    await pass();
    users.table.scrolledTo(900 * ROW_HEIGHT);
    await pass();
    expect(users.drawn().at(-1)!.cells[0]).toBe('g1-900');
  });

  it.each([899, 890, 300, 34, 33, 11])('draws no blank when %i rows are left', async (count) => {
    flip('users_ui', 1, count);
    await pass();
    expect(topOf(users.drawn())).toBe(`g1-${count - PAGE}`);
  });

  it('draws what there is of a table shorter than a page', async () => {
    flip('users_ui', 1, 3);
    await pass();
    expect(topOf(users.drawn(), 3)).toBe('g1-0');
  });

  it('draws no blank when the table of a swap is shorter', async () => {
    flip('users_ui', 2, 50);
    await pass();
    expect(topOf(users.drawn())).toBe('g2-40');
  });

  it('draws no blank while it shrinks on and on', async () => {
    const drawn: Drawn = [];
    for (let count = 950; count > 20; count -= 31) {
      flip('users_ui', 1, count);
      await pass(25);
      drawn.push(...users.drawn());
    }
    await pass();
    expect(topOf([...drawn, ...users.drawn()])).toBe('g1-41');
  });

  it('draws no blank when it comes back to its row after a swap is taken back', async () => {
    flip('users_ui', 2, 50);
    await pass();
    flip('users_ui', 1, 1_000);
    await pass();
    expect(topOf(users.drawn())).toBe('g1-900');
  });

  it.each([10, 30, 50, 70])('draws no blank when taken back after %i ms', async (time) => {
    flip('users_ui', 2, 50);
    await pass(time);
    flip('users_ui', 1, 1_000);
    await pass();
    users.table.resize(PAGE * ROW_HEIGHT);
    await pass();
    expect(topOf(users.drawn())).toBe('g1-900');
  });

  it('draws no blank when the shorter table grows fast', async () => {
    flip('users_ui', 2, 50);
    const drawn: Drawn = [];
    for (let count = 100; count <= 800; count += 100) {
      await pass(25);
      flip('users_ui', 2, count);
      drawn.push(...users.drawn());
    }
    await pass();
    expect(topOf([...drawn, ...users.drawn()])).toBe('g2-790');
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('draws no blank in ups and downs, seed %i', async (seed) => {
    const other = grid(USERS);
    other.table.scrolledTo(300 * ROW_HEIGHT);
    await pass();
    [users, other].forEach((each) => each.drawn());
    let state = seed;
    const below = (limit: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % limit;
    };
    for (let n = 0; n < 40; n++) {
      flip('users_ui', 1 + below(3), PAGE + below([30, 1_000][below(2)]!));
      await pass([0, 5, 20, 60, 150][below(5)]);
    }
    await pass(1_000);
    topOf(users.drawn());
    topOf(other.drawn());
  });

  it('says so when the table becomes empty', async () => {
    flip('users_ui', 1, 50);
    await pass(10);
    flip('users_ui', 1, 0);
    await pass();
    expect(users.drawn().at(-1)).toMatchObject({ total: 0, cells: [] });
  });

  it('asks the server for nothing more once it is at the end', async () => {
    flip('users_ui', 1, 300);
    await pass();
    const { viewports } = server.open('users_ui')[0]!;
    const before = viewports.length;
    for (let n = 0; n < 5; n++) {
      server.touch('users_ui');
      await pass(50);
    }
    expect(viewports).toHaveLength(before);
    expect(viewports.at(-1)).toEqual([280, 313]);
  });
});

describe('The grids of a flow in a swap to fewer rows', () => {
  it('change in the same frame, wherever they are scrolled to, and none is ever blank', async () => {
    const users = grid(USERS);
    const accounts = grid(ACCOUNTS);
    await pass();
    users.table.scrolledTo(900 * ROW_HEIGHT);
    await pass();
    [users, accounts].forEach((each) => each.drawn());
    flip('accounts_ui', 2, 1_000);
    await pass(20);
    flip('users_ui', 2, 300);
    await pass();
    const [u, a] = [users.drawn(), accounts.drawn()];
    expect([topOf(u), topOf(a)]).toEqual(['g2-290', 'g2-0']);
    const swappedAt = (drawn: Drawn) => drawn.find(({ cells }) => cells[0]!.startsWith('g2-'))!.at;
    expect(swappedAt(u)).toBe(swappedAt(a));
  });
});

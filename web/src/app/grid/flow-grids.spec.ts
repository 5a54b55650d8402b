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
  columns: [
    { name: 'userId', label: 'User' },
    { name: 'age', label: 'Age', hidden: true },
  ],
  together: 'customers',
};
const ACCOUNTS: TableSpec = { ...USERS, table: 'accounts_ui' };

let server: MemoryServer;
let hub: TableHub;
let frames: Frames;
let grids: LiveTable[];

const pass = (milliseconds = 100) => vi.advanceTimersByTimeAsync(milliseconds);

/** A grid, and what it draws. */
function grid(spec: TableSpec) {
  const drawn: { view: GridView | null; at: Map<string, number> } = { view: null, at: new Map() };
  const table = new LiveTable(spec, hub, frames, {
    draw: (view) => {
      drawn.view = view;
      const text = view.rows[0]?.cells?.[0]?.text ?? '';
      drawn.at.set(text, drawn.at.get(text) ?? Date.now());
    },
    drawn: vi.fn(),
    painted: vi.fn(),
    newest: vi.fn(),
  });
  grids.push(table);
  table.resize(5 * ROW_HEIGHT);
  return {
    table,
    view: () => drawn.view!,
    columns: () => drawn.view!.columns.map(({ name }) => name),
    /** When a text was first drawn in the first cell. */
    drewAt: (text: string) => drawn.at.get(text),
  };
}

/** Shows a generation: users named after it, or the same ones. */
function flip(table: string, generation: number, prefix = `g${generation}-`): void {
  const rows = Array.from({ length: 20 }, (_, n) => ({
    userId: `${prefix}${n}`,
    age: 30,
    generation,
  }));
  server.tables.get(table)!.rows.splice(0, Infinity, ...rows);
  server.touch(table);
}

beforeEach(async () => {
  vi.useFakeTimers();
  server = new MemoryServer();
  grids = [];
  for (const table of ['users_ui', 'accounts_ui', 'generations']) {
    server.table(table, { userId: 'java.lang.String', age: 'long', generation: 'long' }, []);
    flip(table, 1);
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

describe('The grids of a flow', () => {
  it('draw a swap in the same frame', async () => {
    const users = grid(USERS);
    const accounts = grid(ACCOUNTS);
    await pass();
    flip('users_ui', 2);
    await pass(70);
    expect(users.drewAt('g2-0')).toBeUndefined();
    flip('accounts_ui', 2);
    await pass(20);
    expect(users.drewAt('g2-0')).toBeDefined();
    expect(users.drewAt('g2-0')).toBe(accounts.drewAt('g2-0'));
  });

  it('show the generation nowhere, whichever columns are chosen', async () => {
    const { table, columns } = grid(USERS);
    await pass();
    expect(columns()).toEqual(['userId']);
    table.setHidden('age', false);
    await pass();
    expect(columns()).toEqual(['userId', 'age']);
    expect(table.query.choices().map(({ name }) => name)).toEqual(['userId', 'age']);
    expect(table.csv().split('\r\n')[0]).toBe('userId,age');
  });

  it('tint no cell when only the generation changes', async () => {
    const { view } = grid(USERS);
    await pass();
    flip('users_ui', 2, 'g1-');
    await pass(20);
    expect(view().rows.flatMap(({ cells }) => cells!.map(({ flash }) => flash))).toEqual(
      Array.from({ length: 5 }, () => ''),
    );
  });

  it('hide the generation on the page of any table too, if it is a view of a flow', async () => {
    const known = grid({ table: 'users_ui', key: ['userId'], together: 'customers' });
    const unknown = grid({ table: 'generations', key: ['flow', 'generation', 'state', 'control'] });
    await pass();
    expect(known.columns()).toEqual(['userId', 'age']);
    expect(known.table.query.choices()).toHaveLength(2);
    expect(unknown.columns()).toEqual(['userId', 'age', 'generation']);
  });
});

import { vi } from 'vitest';
import { TableHub } from '../../deephaven/table-hub';
import { MemoryServer } from '../../deephaven/testing/memory-server';
import type { MemoryRow } from '../../deephaven/testing/memory-table';
import { Frames } from '../frames';
import type { GridLook } from '../grid-look';
import type { GridView } from '../grid-view';
import { LiveTable } from '../live-table';
import { ROW_HEIGHT } from '../row-scroll';
import type { TableSpec } from '../table-spec';

/** Lets time pass; the timers must be fake. */
export const pass = (milliseconds = 100) => vi.advanceTimersByTimeAsync(milliseconds);

/** A moment as the JS API prints it. */
export const nanos = (milliseconds: number) => `${milliseconds}000000`;

/** A table of users, as many as asked for. */
export const USERS: TableSpec = {
  table: 'users',
  key: ['userId'],
  columns: [
    { name: 'userId', label: 'User' },
    { name: 'age', label: 'Age' },
    { name: 'city', label: 'City' },
    { name: 'ts', label: 'Time' },
    { name: 'topic', label: 'Topic', hidden: true },
  ],
};
const TYPES = {
  userId: 'java.lang.String',
  age: 'long',
  city: 'java.lang.String',
  ts: 'java.time.Instant',
  topic: 'java.lang.String',
  partition: 'int',
  offset: 'long',
  adult: 'java.lang.Boolean',
  generation: 'long',
};
const CITIES = ['Rome', 'Oslo', null];

/** A user; every third has no city. */
export function user(n: number): MemoryRow {
  return {
    userId: `U${n}`,
    age: n % 100,
    city: CITIES[n % 3],
    ts: nanos(n * 1_000),
    topic: 'users',
    partition: n % 4,
    offset: n,
    adult: n % 100 >= 18,
    generation: 1,
  };
}

/** A server with a table of users, and a hub that is signed in to it. */
export async function usersWorld(count = 500) {
  vi.useFakeTimers();
  const server = new MemoryServer();
  server.table(
    'users',
    TYPES,
    Array.from({ length: count }, (_, n) => user(n)),
  );
  const hub = new TableHub(server.login, { base: 500, cap: 500, random: () => 1 });
  const signedIn = hub.signIn('secret');
  await pass();
  await signedIn;
  const frames = new Frames((callback) => setTimeout(callback, 16), vi.fn(), Date.now);
  const rows = () => server.tables.get('users')?.rows ?? [];
  return { server, hub, frames, rows };
}

/** A grid of ten rows in such a world, and what it draws and tells. */
export function openGrid(
  { hub, frames }: Pick<Awaited<ReturnType<typeof usersWorld>>, 'hub' | 'frames'>,
  look?: GridLook,
  spec: TableSpec = USERS,
) {
  const seen: { view: GridView | null; looks: GridLook[]; spoken: string[]; newest: number[] } = {
    view: null,
    looks: [],
    spoken: [],
    newest: [],
  };
  const sink = {
    draw: (view: GridView) => (seen.view = view),
    drawn: vi.fn(),
    painted: vi.fn(),
    newest: (time: number) => seen.newest.push(time),
    looked: (changed: GridLook) => seen.looks.push(changed),
    say: (text: string) => seen.spoken.push(text),
  };
  const table = new LiveTable(spec, hub, frames, sink, Date.now, [], look);
  table.resize(10 * ROW_HEIGHT);
  const view = () => {
    if (!seen.view) {
      throw new Error('Nothing was drawn.');
    }
    return seen.view;
  };
  return {
    table,
    seen,
    view,
    names: () => view().columns.map(({ name }) => name),
    column: (name: string) => {
      const at = view().columns.findIndex((column) => column.name === name);
      return view().rows.map((row) => row.cells?.[at]?.text);
    },
  };
}

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TYPING_PAUSE } from './live-table';
import { ROW_HEIGHT } from './row-scroll';
import { nanos, openGrid, pass, usersWorld } from './testing/world';

let world: Awaited<ReturnType<typeof usersWorld>>;
let grid: ReturnType<typeof openGrid>;

/** Changes a row and tells the grids. */
async function change(row: number, age: number): Promise<void> {
  Object.assign(world.rows()[row] ?? {}, { age, ts: nanos(Date.now()) });
  world.server.touch('users');
  await pass(20);
}

beforeEach(async () => {
  world = await usersWorld();
  grid = openGrid(world);
  await pass();
});

afterEach(() => {
  grid.table.close();
  vi.useRealTimers();
});

describe('A paused grid', () => {
  it('keeps its rows and counts what waits; resumed, it shows the newest at once', async () => {
    const { table, view, column } = grid;
    const since = Date.now();
    table.pause();
    await change(0, 77);
    await change(0, 78);
    expect(column('age')[0]).toBe('0');
    expect(view().paused).toEqual({ since, waiting: 2 });
    table.resume();
    await pass(20);
    expect(column('age')[0]).toBe('78');
    expect(view().paused).toBeNull();
    await change(0, 79);
    expect(column('age')[0]).toBe('79');
  });

  it('still tells how new the table is', async () => {
    grid.table.pause();
    await change(0, 77);
    expect(grid.seen.newest.at(-1)).toBeGreaterThan(Date.now() - 1_000);
  });

  it('brings the rows that the viewer scrolls to, and holds those', async () => {
    const { table, column, view } = grid;
    table.pause();
    table.scrolledTo(300 * ROW_HEIGHT);
    await pass();
    expect(column('userId')[0]).toBe('U300');
    await change(300, 55);
    expect(column('age')[0]).toBe('0');
    expect(view().paused?.waiting).toBe(1);
  });

  it('scrolls a little without taking newer rows', async () => {
    const { table, column } = grid;
    table.pause();
    await change(3, 77);
    table.scrolledTo(2 * ROW_HEIGHT);
    await pass();
    expect(column('userId')[0]).toBe('U2');
    expect(column('age')[1]).toBe('3');
  });

  it('answers a new question, and holds the answer', async () => {
    const { table, column } = grid;
    table.pause();
    table.typeFilter('userId', 'u12');
    await pass(TYPING_PAUSE + 200);
    expect(column('userId')[0]).toBe('U12');
    await change(12, 77);
    expect(column('age')[0]).toBe('12');
  });
});

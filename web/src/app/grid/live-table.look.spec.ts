import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GridLook } from './grid-look';
import { decodeLook, encodeLook } from './look-text';
import { LOOK_PAUSE } from './look-report';
import { TYPING_PAUSE } from './live-table';
import { ROW_HEIGHT } from './row-scroll';
import { openGrid, pass, user, USERS, usersWorld } from './testing/world';

let world: Awaited<ReturnType<typeof usersWorld>>;
let grids: ReturnType<typeof openGrid>[];

function open(look?: GridLook, spec = USERS) {
  const grid = openGrid(world, look, spec);
  grids.push(grid);
  return grid;
}

beforeEach(async () => {
  world = await usersWorld();
  grids = [];
});

afterEach(() => {
  grids.forEach(({ table }) => table.close());
  vi.useRealTimers();
});

describe('The look of a grid', () => {
  it('is the same in another grid that is given its text', async () => {
    const first = open();
    await pass();
    first.table.toggleSort('city');
    first.table.toggleSort('age', true);
    first.table.toggleSort('age', true);
    first.table.typeFilter('userId', 'u');
    first.table.setQuickFilter('age', { kind: 'range', low: 10, high: 60 });
    first.table.setHidden('ts', true);
    first.table.setHidden('topic', false);
    first.table.moveColumn('age', 0);
    first.table.setWidths([{ column: 'city', width: 300 }]);
    await pass(TYPING_PAUSE + LOOK_PAUSE + 100);
    first.table.scrolledTo(100 * ROW_HEIGHT);
    await pass(LOOK_PAUSE + 100);
    const told = first.seen.looks.at(-1)!;
    expect(told).toEqual(first.table.look());

    const second = open(decodeLook(encodeLook(told)));
    await pass(1_000);
    expect(second.names()).toEqual(['age', 'userId', 'city', 'topic']);
    expect(second.view().columns).toEqual(first.view().columns);
    expect(second.column('userId')).toEqual(first.column('userId'));
    expect(second.view().total).toBe(first.view().total);
    expect(second.table.look()).toEqual(told);
  });

  it('is told once the viewer rests, and not because rows change', async () => {
    const { table, seen } = open();
    await pass(1_000);
    expect(seen.looks).toEqual([]);
    table.toggleSort('age');
    table.toggleSort('age');
    await pass(LOOK_PAUSE / 2);
    expect(seen.looks).toEqual([]);
    await pass(LOOK_PAUSE);
    expect(seen.looks).toEqual([{ sort: [{ column: 'age', direction: 'desc' }] }]);
    world.rows().unshift(user(900));
    world.server.touch('users');
    await pass(2 * LOOK_PAUSE);
    expect(seen.looks).toHaveLength(1);
  });

  it('filters from the first question on, also where the kind of a column decides what is meant', async () => {
    const opens = world.server.opens;
    const { view } = open({ filters: [{ column: 'age', kind: 'integer', text: '>97' }] });
    await pass();
    expect(view().total).toBe(10);
    expect(view().columns[1]).toMatchObject({ filterText: '>97', filterError: null });
    expect(world.server.opens).toBe(opens + 1);
  });

  it('survives a column that is of another kind now', async () => {
    const { view } = open({ filters: [{ column: 'city', kind: 'integer', text: '>97' }] });
    await pass(500);
    expect(view()).toMatchObject({ state: 'empty', message: 'No row matches the filter.' });
    const { view: other } = open({ filters: [{ column: 'age', kind: 'text', text: '97' }] });
    await pass(500);
    expect(other().total).toBe(5);
  });

  it('ignores columns that are gone', async () => {
    const { view, names } = open({
      order: ['gone', 'age'],
      sort: [{ column: 'gone', direction: 'asc' }],
      filters: [{ column: 'gone', kind: 'text', text: 'x' }],
      top: ['nobody'],
    });
    await pass(1_000);
    expect(view()).toMatchObject({ state: 'live', total: 500, from: 1 });
    expect(names()).toHaveLength(4);
  });

  it('goes to the row at its top, however far down, unless the viewer goes elsewhere', async () => {
    const { column } = open({ top: ['U321'] });
    await pass(1_000);
    expect(column('userId')[0]).toBe('U321');
    const other = open({ top: ['U321'] });
    other.table.goTo('last');
    await pass(1_000);
    expect(other.column('userId')[0]).not.toBe('U321');
    expect(world.hub.openViewports).toBe(1);
  });

  it('can be given later: back and forward', async () => {
    const { table, seen, column, view } = open({});
    await pass();
    table.apply({ sort: [{ column: 'age', direction: 'desc' }], top: ['U99'] });
    await pass(1_000);
    expect(view().columns[1]).toMatchObject({ sorted: 'descending' });
    table.apply({});
    await pass(1_000);
    expect(column('userId')[0]).toBe('U0');
    expect(view().columns[1]).toMatchObject({ sorted: 'none' });
    expect(seen.looks).toEqual([]);
  });

  it('is not asked for again when the page gives back what it was told', async () => {
    const { table, seen } = open({});
    await pass();
    table.toggleSort('age');
    await pass(LOOK_PAUSE + 100);
    const opens = world.server.opens;
    table.apply(seen.looks[0]!);
    await pass();
    expect(world.server.opens).toBe(opens);
  });
});

describe('The columns of a grid', () => {
  it('move without a new question, and say where they are', async () => {
    const { table, names, seen, column } = open();
    await pass();
    const opens = world.server.opens;
    table.moveColumn('age', 0);
    await pass();
    expect(names()).toEqual(['age', 'userId', 'city', 'ts']);
    expect(column('age')[3]).toBe('3');
    expect(seen.spoken.at(-1)).toBe('Age is column 1');
    expect(world.server.opens).toBe(opens);
    table.resetColumns();
    await pass();
    expect(names()).toEqual(['userId', 'age', 'city', 'ts']);
  });

  it('sort the rows together, in the order shown', async () => {
    const { table, view, column, seen } = open();
    await pass();
    table.toggleSort('age');
    table.setSort('userId', 'desc', true);
    await pass();
    expect(column('userId').slice(0, 5)).toEqual(['U400', 'U300', 'U200', 'U100', 'U0']);
    expect(view().columns.map(({ sortPlace }) => sortPlace)).toEqual([2, 1, null, null]);
    expect(seen.spoken).toContain('Sorted by Age ascending, then User descending');
    expect(seen.spoken.at(-1)).toBe('500 rows');
  });
});

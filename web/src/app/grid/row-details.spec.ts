import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RowDetails, type DetailsView } from './row-details';
import type { TableSpec } from './table-spec';
import { nanos, openGrid, pass, user, USERS, usersWorld } from './testing/world';

let world: Awaited<ReturnType<typeof usersWorld>>;
let view: DetailsView;
let close: (() => void)[];

/** Opens the details of a row of a grid. */
async function detailsOf(row: number, spec: TableSpec = USERS): Promise<RowDetails> {
  const grid = openGrid(world, {}, spec);
  await pass();
  grid.table.pick(row, 0, false);
  const details = new RowDetails(spec, grid.table.details()!, world.hub, (next) => (view = next));
  close.push(
    () => grid.table.close(),
    () => details.close(),
  );
  await pass();
  return details;
}

const texts = () => Object.fromEntries(view.fields.map(({ label, text }) => [label, text]));

beforeEach(async () => {
  world = await usersWorld(50);
  close = [];
});

afterEach(() => {
  close.forEach((end) => end());
  vi.useRealTimers();
});

describe('RowDetails', () => {
  it('has all columns, also hidden and undescribed ones, and the record apart', async () => {
    await detailsOf(4, { ...USERS, together: 'people' });
    expect(view.name).toBe('U4');
    expect(texts()).toMatchObject({ User: 'U4', Age: '4', City: 'Oslo', adult: 'false' });
    expect(view.record.map(({ name, text }) => [name, text]).slice(0, 3)).toEqual([
      ['topic', 'users'],
      ['partition', '0'],
      ['offset', '4'],
    ]);
    expect(view.origin).toEqual({ topic: 'users', partition: '0', offset: '4', generation: 1 });
    expect(view.fields.some(({ name }) => name === 'generation')).toBe(false);
    expect(view.message).toBe('');
  });

  it('says when the row has another record', async () => {
    await detailsOf(4);
    Object.assign(world.rows()[4] ?? {}, { offset: 90, ts: nanos(1) });
    world.server.touch('users');
    await pass();
    expect(view.origin).toMatchObject({ offset: '90' });
  });

  it('follows the row as it changes and wherever it moves', async () => {
    await detailsOf(4);
    world.rows().unshift(user(100));
    Object.assign(world.rows()[5] ?? {}, { age: 44, ts: nanos(1) });
    world.server.touch('users');
    await pass();
    expect(texts()).toMatchObject({ User: 'U4', Age: '44' });
  });

  it('says when the row is gone, and keeps what it was', async () => {
    await detailsOf(4);
    world.rows().splice(4, 1);
    world.server.touch('users');
    await pass();
    expect(view).toMatchObject({ gone: true });
    expect(view.message).toContain('no longer in the table');
    expect(texts()).toMatchObject({ User: 'U4' });
    world.rows().push(user(4));
    world.server.touch('users');
    await pass();
    expect(view).toMatchObject({ gone: false, message: '' });
  });

  it('finds a row by any key: numbers, times, nothing', async () => {
    Object.assign(world.rows()[2] ?? {}, { city: null });
    await detailsOf(2, { ...USERS, key: ['city', 'age', 'ts', 'adult'], columns: undefined });
    expect(texts()).toMatchObject({ userId: 'U2' });
  });

  it('follows the place where a table has no key', async () => {
    await detailsOf(7, { ...USERS, key: [] });
    expect(view.name).toBe('Row 8');
    expect(texts()).toMatchObject({ User: 'U7' });
  });

  it('is copied as JSON, with every column and times as ISO', async () => {
    const details = await detailsOf(4);
    expect(JSON.parse(details.json())).toMatchObject({
      userId: 'U4',
      age: 4,
      city: 'Oslo',
      ts: '1970-01-01T00:00:04.000Z',
      offset: 4,
      adult: false,
    });
  });

  it('lets go of the row', async () => {
    const before = world.hub.openViewports;
    const details = await detailsOf(4);
    expect(world.hub.openViewports).toBe(before + 2);
    details.close();
    expect(world.hub.openViewports).toBe(before + 1);
  });
});

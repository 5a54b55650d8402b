import { afterEach, describe, expect, it, vi } from 'vitest';
import { watchValues, type ColumnValues } from './column-values';
import { pass, user, usersWorld } from './testing/world';

afterEach(() => {
  vi.useRealTimers();
});

describe('watchValues', () => {
  it('offers the different values there are, and new ones as they come', async () => {
    const { hub, rows, server } = await usersWorld(9);
    let seen: ColumnValues | null = null;
    const stop = watchValues(hub, 'users', 'city', 'text', '', (values) => (seen = values));
    await pass();
    expect(seen).toEqual({ values: [null, 'Oslo', 'Rome'], total: 3, message: '' });
    rows().push({ ...user(9), city: 'Bonn' });
    server.touch('users');
    await pass();
    expect(seen).toMatchObject({ values: [null, 'Bonn', 'Oslo', 'Rome'] });
    stop();
    expect([hub.openViewports, server.open('users')]).toEqual([0, []]);
  });

  it('finds values by what is typed, of numbers too', async () => {
    const { hub } = await usersWorld(50);
    let seen: ColumnValues | null = null;
    const changed = (values: ColumnValues) => (seen = values);
    watchValues(hub, 'users', 'city', 'text', 'os', changed)();
    const stop = watchValues(hub, 'users', 'age', 'integer', '>47', changed);
    await pass();
    expect(seen).toMatchObject({ values: [48, 49], total: 2 });
    stop();
    const end = watchValues(hub, 'users', 'city', 'text', 'nowhere', changed);
    await pass();
    expect(seen).toMatchObject({ values: [], message: 'No value matches.' });
    end();
  });

  it('says what is wrong', async () => {
    const { hub } = await usersWorld(1);
    let seen: ColumnValues | null = null;
    const stop = watchValues(hub, 'users', 'gone', 'text', '', (values) => (seen = values));
    await pass();
    expect(seen).toMatchObject({ message: 'Table users has no column gone. Trying again.' });
    stop();
  });
});

import { afterEach, describe, expect, it, vi } from 'vitest';
import { readDensity, ROW_HEIGHTS } from './density';
import { ROW_HEIGHT } from './row-scroll';
import { openGrid, pass, usersWorld } from './testing/world';

afterEach(() => {
  vi.useRealTimers();
});

describe('The density', () => {
  it('is normal unless something else was kept', () => {
    expect(readDensity('compact')).toBe('compact');
    expect([readDensity(null), readDensity('tiny')]).toEqual(['normal', 'normal']);
    expect(ROW_HEIGHTS.normal).toBe(ROW_HEIGHT);
  });

  it('changes how many rows fit and keeps the row at the top', async () => {
    const { table, column, view } = openGrid(await usersWorld());
    await pass();
    table.scrolledTo(100 * ROW_HEIGHT);
    await pass();
    table.setRowHeight(ROW_HEIGHTS.compact);
    await pass();
    expect(column('userId')[0]).toBe('U100');
    expect(view().rows).toHaveLength(12);
    expect(view().contentHeight).toBe(500 * ROW_HEIGHTS.compact);
    table.close();
  });
});

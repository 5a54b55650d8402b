import { describe, expect, it } from 'vitest';
import { extendTo, moveSelection, select, selectedRange, shift } from './selection';

const BOUNDS = { rows: 100, columns: 5, page: 10 };
const press = (key: string, extend = false, from = select(50, 2)) =>
  moveSelection(from, key, extend, BOUNDS);

describe('moveSelection', () => {
  it('moves by cells, pages and to the ends', () => {
    expect(press('ArrowDown')).toMatchObject({ row: 51, column: 2 });
    expect(press('ArrowLeft')).toMatchObject({ row: 50, column: 1 });
    expect(press('PageUp')).toMatchObject({ row: 40 });
    expect(press('End')).toMatchObject({ row: 99 });
    expect(press('Home')).toMatchObject({ row: 0 });
  });

  it('stays inside the table', () => {
    expect(press('ArrowRight', false, select(0, 4))).toMatchObject({ column: 4 });
    expect(press('PageUp', false, select(3, 0))).toMatchObject({ row: 0 });
  });

  it('selects rows while shift is held', () => {
    const extended = press('ArrowDown', true);
    expect(extended && selectedRange(extended)).toEqual([50, 51]);
    expect(extended?.rows).toBe(true);
  });

  it('ignores other keys and empty tables', () => {
    expect(press('a')).toBeNull();
    expect(moveSelection(null, 'ArrowDown', false, { ...BOUNDS, rows: 0 })).toBeNull();
  });

  it('starts at the top when nothing is selected', () => {
    expect(moveSelection(null, 'ArrowUp', false, BOUNDS)).toMatchObject({ row: 0, column: 0 });
  });
});

describe('extendTo and shift', () => {
  it('keeps the anchor of a range and moves it with its row', () => {
    const range = extendTo(select(10, 0), 5, 1);
    expect(selectedRange(range)).toEqual([5, 10]);
    expect(selectedRange(shift(range, 3))).toEqual([8, 13]);
  });
});

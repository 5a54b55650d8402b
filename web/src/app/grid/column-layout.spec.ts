import { describe, expect, it } from 'vitest';
import { ColumnLayout, MAX_WIDTH, MIN_WIDTH } from './column-layout';
import type { TableSpec } from './table-spec';

const SPEC: TableSpec = {
  table: 't',
  key: ['a', 'b'],
  columns: ['a', 'b', 'c', 'd'].map((name) => ({ name, label: name, hidden: name === 'd' })),
};

describe('ColumnLayout', () => {
  it('has nothing to tell while nothing is changed', () => {
    const layout = new ColumnLayout(SPEC);
    expect(layout.choices()).toEqual({});
    expect(layout.names()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('moves a column among the visible ones, and tells the order', () => {
    const layout = new ColumnLayout(SPEC);
    expect(layout.move('a', 2)).toBe(2);
    expect(layout.names()).toEqual(['b', 'c', 'd', 'a']);
    expect(layout.move('a', 99)).toBe(2);
    expect(layout.move('a', 0)).toBe(0);
    expect(layout.choices()).toEqual({});
  });

  it('takes back what it told, in another grid of the table', () => {
    const layout = new ColumnLayout(SPEC);
    layout.move('c', 0);
    layout.setHidden('b', true);
    layout.setHidden('d', false);
    layout.setWidth('a', 222.4);
    layout.freeze(1);
    const other = new ColumnLayout(SPEC);
    other.apply(layout.choices());
    expect(other.choices()).toEqual(layout.choices());
    expect(other.names()).toEqual(['c', 'a', 'b', 'd']);
    expect([other.isHidden('b'), other.isHidden('d'), other.widthOf('a')]).toEqual([
      true,
      false,
      222,
    ]);
  });

  it('ignores columns that are gone, and gives new ones the place they have at first', () => {
    const layout = new ColumnLayout(SPEC);
    layout.apply({
      order: ['gone', 'c', 'a', 'c'],
      hidden: ['gone'],
      widths: [{ column: 'gone', width: 99 }],
    });
    expect(layout.names()).toEqual(['c', 'd', 'a', 'b']);
    expect(layout.choices()).toEqual({ order: ['c', 'd', 'a', 'b'] });
  });

  it('never hides all columns', () => {
    const layout = new ColumnLayout(SPEC);
    layout.apply({ hidden: ['a', 'b', 'c', 'd'] });
    expect(layout.names().some((name) => !layout.isHidden(name))).toBe(true);
    ['a', 'b', 'c', 'd'].forEach((name) => layout.setHidden(name, true));
    expect(layout.names().filter((name) => !layout.isHidden(name))).toHaveLength(1);
  });

  it('keeps widths within what can be seen and gripped', () => {
    const layout = new ColumnLayout(SPEC);
    layout.setWidth('a', 1);
    layout.setWidth('b', 1e9);
    expect([layout.widthOf('a'), layout.widthOf('b')]).toEqual([MIN_WIDTH, MAX_WIDTH]);
    layout.setWidth('a', null);
    expect(layout.widthOf('a')).toBeUndefined();
  });

  it('freezes the key where it leads, or as many columns as chosen', () => {
    const layout = new ColumnLayout(SPEC);
    expect(layout.frozen(['a', 'b', 'c'])).toBe(2);
    expect(layout.frozen(['c', 'a', 'b'])).toBe(0);
    expect(layout.frozen(['a', 'b'])).toBe(0);
    layout.freeze(3);
    expect(layout.frozen(['c', 'a', 'b', 'd'])).toBe(3);
  });
});

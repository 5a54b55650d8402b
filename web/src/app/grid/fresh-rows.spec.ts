import { beforeEach, describe, expect, it } from 'vitest';
import type { ColumnInfo, Row } from '../deephaven/decode';
import { FreshRows } from './fresh-rows';
import { RowModels } from './row-models';

const COLUMNS: ColumnInfo[] = [
  { name: 'id', kind: 'text' },
  { name: 'ts', kind: 'time' },
  { name: 'topic', kind: 'text' },
];
const ATTACHED = 1_000;

let models: RowModels;
let fresh: FreshRows;

/** The event times that count after an update to these rows. */
function update(rows: Row[], { first = 0, newestFirst = false, wanted = rows.length } = {}) {
  models.merge({ columns: COLUMNS, first, rows, total: 100 }, 0);
  return fresh.take(models, COLUMNS, wanted, newestFirst).times;
}

beforeEach(() => {
  models = new RowModels(['id'], (column) => column.kind);
  fresh = new FreshRows(ATTACHED);
});

describe('FreshRows', () => {
  it('counts a visible row that got a later time, once', () => {
    update([['A', 900, 'users']]);
    expect(update([['A', 1_100, 'users']])).toEqual([1_100]);
    expect(update([['A', 1_100, 'users']])).toEqual([]);
  });

  it('leaves out what happened before the attach', () => {
    update([['A', 800, 'users']]);
    expect(update([['A', 900, 'users']])).toEqual([]);
  });

  it('leaves out rows that come into view by scrolling', () => {
    update([['A', 1_100, 'users']]);
    expect(update([['B', 1_200, 'users']], { first: 1 })).toEqual([]);
    expect(update([['A', 1_100, 'users']], { first: 0, newestFirst: true })).toEqual([]);
  });

  it('counts new rows at the top of a list sorted newest first', () => {
    const list = { newestFirst: true };
    update([['A', 1_100, 'users']], list);
    expect(
      update(
        [
          ['B', 1_200, 'users'],
          ['A', 1_100, 'users'],
        ],
        list,
      ),
    ).toEqual([1_200]);
  });

  it('counts a late row inside such a list, but not one that slides in at its end', () => {
    const list = { newestFirst: true, wanted: 2 };
    update(
      [
        ['A', 1_400, 'users'],
        ['B', 1_200, 'users'],
      ],
      list,
    );
    expect(
      update(
        [
          ['A', 1_400, 'users'],
          ['C', 1_300, 'users'],
        ],
        list,
      ),
    ).toEqual([1_300]);
    expect(
      update(
        [
          ['A', 1_400, 'users'],
          ['D', 1_150, 'users'],
        ],
        list,
      ),
    ).toEqual([]);
  });

  it('leaves out rows that a swap of topics brings', () => {
    update([['A', 1_100, 'users']]);
    expect(update([['A', 1_200, 'users2']])).toEqual([]);
    expect(update([['A', 1_300, 'users2']])).toEqual([1_300]);
  });

  it('starts over after a reset', () => {
    update([['A', 1_100, 'users']]);
    fresh.reset(2_000);
    expect(update([['A', 2_100, 'users']])).toEqual([]);
    expect(update([['A', 2_200, 'users']])).toEqual([2_200]);
  });
});

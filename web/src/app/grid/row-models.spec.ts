import { beforeEach, describe, expect, it } from 'vitest';
import type { ColumnInfo, Row } from '../deephaven/decode';
import { FLASH_TIME, RowModels } from './row-models';

const COLUMNS: ColumnInfo[] = [
  { name: 'id', kind: 'text' },
  { name: 'name', kind: 'text' },
  { name: 'balance', kind: 'decimal' },
  { name: 'ts', kind: 'time' },
];

let models: RowModels;

const merge = (rows: Row[], now = 0, first = 0) =>
  models.merge({ columns: COLUMNS, first, rows, total: 100 }, now);
const changes = (index: number) =>
  [...models.at(index)!.changes].map(([column, { change }]) => [column, change]);

beforeEach(() => {
  models = new RowModels(['id'], (column) => column.kind);
});

describe('RowModels', () => {
  it('marks nothing when rows appear for the first time', () => {
    merge([['A', 'Ann', 1, 0]]);
    expect(changes(0)).toEqual([]);
    expect(models.at(0)!.texts).toContain('Ann');
  });

  it('marks numbers as up or down and the rest as text', () => {
    merge([
      ['A', 'Ann', 1, 0],
      ['B', 'Bob', 1, 0],
    ]);
    merge([
      ['A', 'Anna', 2, 5],
      ['B', 'Bob', 0.5, 0],
    ]);
    expect(changes(0)).toEqual([
      [1, 'text'],
      [2, 'up'],
      [3, 'text'],
    ]);
    expect(changes(1)).toEqual([[2, 'down']]);
    expect(models.at(0)!.texts.slice(1, 3)).toEqual(['Anna', '2']);
  });

  it('remembers which way a number last went, for as long as the row is loaded', () => {
    const trend = () => models.at(0)!.trends.get(2);
    merge([['A', 'Ann', 1, 0]]);
    expect(trend()).toBeUndefined();
    merge([['A', 'Ann', 2, 0]]);
    merge([['A', 'Anna', 2, 9]], 10 * FLASH_TIME);
    expect(trend()).toBe('up');
    merge([['A', 'Anna', 1, 9]]);
    expect(trend()).toBe('down');
    merge([['A', 'Anna', null, 9]]);
    expect(trend()).toBeUndefined();
  });

  it('marks a number that comes or goes as text', () => {
    merge([['A', 'Ann', null, 0]]);
    merge([['A', 'Ann', 2, 0]]);
    expect(changes(0)).toEqual([[2, 'text']]);
  });

  it('marks nothing when rows move or scroll', () => {
    merge([
      ['A', 'Ann', 1, 0],
      ['B', 'Bob', 2, 0],
    ]);
    merge(
      [
        ['B', 'Bob', 2, 0],
        ['C', 'Cid', 3, 0],
      ],
      0,
      1,
    );
    expect(changes(1)).toEqual([]);
    expect(changes(2)).toEqual([]);
    expect(models.indexOf('B')).toBe(1);
  });

  it('keeps the model of an unchanged row', () => {
    merge([['A', 'Ann', 1, 0]]);
    const before = models.at(0);
    merge([['A', 'Ann', 1, 0]]);
    expect(models.at(0)).toBe(before);
  });

  it('forgets a mark after its time', () => {
    merge([['A', 'Ann', 1, 0]], 0);
    merge([['A', 'Anna', 1, 0]], 10);
    merge([['A', 'Anna', 2, 0]], 10 + FLASH_TIME);
    expect(changes(0)).toEqual([[2, 'up']]);
  });

  it('compares only the first row of a key that comes twice', () => {
    merge([
      ['A', 'Ann', 1, 0],
      ['A', 'Bob', 1, 0],
    ]);
    merge([
      ['A', 'Ann', 1, 0],
      ['A', 'Cid', 1, 0],
    ]);
    expect(changes(0)).toEqual([]);
    expect(changes(1)).toEqual([]);
  });

  it('marks nothing in a table without a key', () => {
    models = new RowModels([], (column) => column.kind);
    merge([['A', 'Ann', 1, 0]]);
    merge([['A', 'Bob', 1, 0]]);
    expect(changes(0)).toEqual([]);
  });
});

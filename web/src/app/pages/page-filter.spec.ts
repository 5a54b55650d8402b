import { describe, expect, it } from 'vitest';
import { GRID, look, table } from '../cards/testing/tables';
import { filterOptions, filterTable } from './page-filter';

describe('filterOptions', () => {
  it('offers all of them, then each by its name', () => {
    expect(filterOptions(['Murex', 'All', 'Calypso', '', 'Murex'], 'All')).toEqual([
      'All',
      'Calypso',
      'Murex',
    ]);
  });

  it('keeps one that is chosen and has no rows', () => {
    expect(filterOptions(['All'], 'Murex')).toEqual(['All', 'Murex']);
  });
});

describe('filterTable', () => {
  const any = table([look('region')], { table: 'any' });
  const summed = table([look('region')], {
    table: 'summed',
    rollup: 'region',
    key: ['a', 'region'],
  });
  const each = table([look('region')], { table: 'each', key: ['region'] });
  const other = table([look('amount')], { table: 'other' });
  const found = (filter: string, ...tables: (typeof any)[]) =>
    filterTable(
      { filter, cards: tables.map((one) => ({ ...GRID, tables: [one.table] })) },
      new Map(tables.map((one) => [one.table, one])),
    )?.table;

  it('prefers a row for each value, then sums, then any table with the column', () => {
    expect(found('region', other, any, summed, each)).toBe('each');
    expect(found('region', other, any, summed)).toBe('summed');
    expect(found('region', other, any)).toBe('any');
    expect(found('region', other)).toBeUndefined();
    expect(found('', each)).toBeUndefined();
  });
});

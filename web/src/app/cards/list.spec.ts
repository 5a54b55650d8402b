import { describe, expect, it } from 'vitest';
import { listColumns, listQuery, listRows, listTable } from './list';
import { LIST, look, table } from './testing/tables';

const SUMS = table(
  [
    look('shop', { type: 'string' }),
    look('region', { type: 'string' }),
    look('amount', { format: 'percent', tone: 'sign' }),
    look('ts', { type: 'time' }),
  ],
  { key: ['shop', 'region'], rollup: 'region' },
);
const ALL = { column: 'region', value: 'All' };
const NORTH = { column: 'region', value: 'north' };

describe('listQuery', () => {
  it('asks the server for the first rows by a column', () => {
    expect(listQuery(LIST, 'up', SUMS, ALL)).toMatchObject({
      table: 'sums',
      count: 10,
      sort: [{ column: 'amount', direction: 'desc' }],
      filters: [{ column: 'region', op: 'is', text: 'All' }],
      columns: ['shop', 'amount', 'region'],
      together: 'shop',
    });
  });

  it('has a row for each value of the summed column where nothing else tells rows apart', () => {
    const filters = (choice: typeof ALL) =>
      listQuery(LIST, 'up', { ...SUMS, key: ['region'] }, choice).filters;
    expect(filters(ALL)).toEqual([{ column: 'region', op: 'isNot', text: 'All' }]);
    expect(filters(NORTH)).toEqual([{ column: 'region', op: 'is', text: 'north' }]);
  });

  it('asks for what is above and below zero where both sides are shown', () => {
    const sides = (['up', 'down'] as const).map((side) => {
      const { sort, filters } = listQuery({ ...LIST, both: true }, side, SUMS, NORTH);
      return [sort[0]?.direction, filters.at(-1)];
    });
    expect(sides).toEqual([
      ['desc', { column: 'amount', op: 'gt', value: 0 }],
      ['asc', { column: 'amount', op: 'lt', value: 0 }],
    ]);
  });

  it('takes the other table while the page is filtered, if there is one', () => {
    const card = { ...LIST, filtered: 'every' };
    expect([listTable(card, ALL), listTable(card, NORTH), listTable(LIST, NORTH)]).toEqual([
      'sums',
      'every',
      'sums',
    ]);
  });
});

describe('listRows', () => {
  it('writes values as their columns say, each row with the key of its table', () => {
    const rows = [{ shop: 'A', region: 'All', amount: -1.5 }];
    const [row] = listRows(['shop', 'amount'], SUMS, rows);
    expect(row!.key).toBe('["A","All"]');
    expect(row!.cells.map(({ text, right, tone }) => [text, right, tone])).toEqual([
      ['A', false, null],
      ['−1.50 %', true, 'down'],
    ]);
  });

  it('tells rows without a key by their place', () => {
    expect(listRows(['shop'], undefined, [{}, {}]).map(({ key }) => key)).toEqual(['0', '1']);
  });

  it('has all columns of the table but where a row came from, unless the card names some', () => {
    expect(listColumns({ ...LIST, columns: [] }, SUMS)).toEqual(['shop', 'region', 'amount']);
    expect(listColumns(LIST, SUMS)).toEqual(['shop', 'amount']);
  });
});

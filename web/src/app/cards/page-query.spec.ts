import { describe, expect, it } from 'vitest';
import { queryKey } from '../deephaven/query';
import { cardQuery, choiceFilters, summedFilters } from './page-query';
import { look, table } from './testing/tables';

const HOSTILE = "x') || true";
const PLAIN = table([look('region'), look('amount')]);
const SUMMED = table([look('region'), look('amount')], { rollup: 'region' });
const about = (value: string, column = 'region') => ({ column, value });

describe('choiceFilters', () => {
  it('leaves a table alone that lacks the column, or on a page without a filter', () => {
    expect(choiceFilters(table([look('amount')]), about('north'))).toEqual([]);
    expect(choiceFilters(undefined, about('north'))).toEqual([]);
    expect(choiceFilters(PLAIN, about('All', ''))).toEqual([]);
  });

  it('filters by the value, and takes the sums of a table that has some for all', () => {
    const is = (text: string) => [{ column: 'region', op: 'is', text }];
    expect(choiceFilters(PLAIN, about('All'))).toEqual([]);
    expect(choiceFilters(PLAIN, about('north'))).toEqual(is('north'));
    expect(choiceFilters(SUMMED, about('All'))).toEqual(is('All'));
    expect(choiceFilters(SUMMED, about('north'))).toEqual(is('north'));
  });

  it('makes a hostile value a filter value like any other', () => {
    expect(choiceFilters(PLAIN, about(HOSTILE))).toEqual([
      { column: 'region', op: 'is', text: HOSTILE },
    ]);
  });
});

describe('summedFilters', () => {
  it('shows the sums alone where the page filters by nothing, or by something else', () => {
    const sums = [{ column: 'region', op: 'is', text: 'All' }];
    expect(summedFilters(SUMMED, about('All', ''))).toEqual(sums);
    expect(summedFilters(SUMMED, about('x', 'amount'))).toContainEqual(sums[0]);
    expect(summedFilters(SUMMED, about('north'))).toEqual(choiceFilters(SUMMED, about('north')));
  });
});

describe('summedFilters of a card whose things are what is summed up', () => {
  const noSum = { column: 'region', op: 'isNot', text: 'All' };

  it('leave the sum out, or have one of the things', () => {
    expect(summedFilters(SUMMED, about('All'), 'region')).toEqual([noSum]);
    expect(summedFilters(SUMMED, about('All', ''), 'region')).toEqual([noSum]);
    expect(summedFilters(SUMMED, about('north'), 'region')).toEqual([
      { column: 'region', op: 'is', text: 'north' },
    ]);
    const filtered = summedFilters(SUMMED, about('x', 'amount'), 'region');
    expect(filtered).toEqual([{ column: 'amount', op: 'is', text: 'x' }, noSum]);
  });

  it('are as before for any other card, and for a table without sums', () => {
    expect(summedFilters(SUMMED, about('All'), 'amount')).toEqual(
      summedFilters(SUMMED, about('All')),
    );
    expect(summedFilters(PLAIN, about('All'), 'region')).toEqual([]);
  });
});

describe('cardQuery', () => {
  const asked = { sort: [], filters: [], columns: ['amount', '', 'gone', 'amount'] };

  it('asks for the columns that are there, each once, a few times a second, with its flow', () => {
    const query = cardQuery('sums', PLAIN, 5, asked);
    expect(query).toMatchObject({ columns: ['amount'], together: 'shop', interval: 250, count: 5 });
    expect(queryKey(query)).toBe(queryKey(cardQuery('sums', PLAIN, 9, asked)));
  });

  it('takes all columns of a table that is in no catalogue', () => {
    expect(cardQuery('rejects', undefined, 5, asked).columns).toEqual(['amount', 'gone']);
  });
});

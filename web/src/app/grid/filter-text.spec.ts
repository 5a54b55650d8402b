import { describe, expect, it } from 'vitest';
import { isFilterable, parseFilter } from './filter-text';

const number = (typed: string) => {
  const parsed = parseFilter('age', 'integer', typed);
  return parsed.kind === 'filter' ? parsed.filter : parsed.kind;
};

describe('parseFilter', () => {
  it('takes nothing for no filter', () => {
    expect(parseFilter('name', 'text', '  ')).toEqual({ kind: 'none' });
  });

  it('takes text as it is, whatever it looks like', () => {
    for (const text of ['=5', '`+System.exit(0)+`', "x') || true"]) {
      expect(parseFilter('name', 'text', text)).toEqual({
        kind: 'filter',
        filter: { column: 'name', op: 'contains', text },
      });
    }
  });

  it('reads numbers and comparisons', () => {
    expect(number('5')).toEqual({ column: 'age', op: 'eq', value: 5 });
    expect(number('=5')).toEqual({ column: 'age', op: 'eq', value: 5 });
    expect(number('> 5')).toEqual({ column: 'age', op: 'gt', value: 5 });
    expect(number('<-5.5')).toEqual({ column: 'age', op: 'lt', value: -5.5 });
    expect(number('>=1,000')).toEqual({ column: 'age', op: 'ge', value: 1000 });
    expect(number('<=1e3')).toEqual({ column: 'age', op: 'le', value: 1000 });
  });

  it('reads ranges in either order', () => {
    expect(number('5..9')).toEqual({ column: 'age', op: 'between', low: 5, high: 9 });
    expect(number('9 .. -5')).toEqual({ column: 'age', op: 'between', low: -5, high: 9 });
  });

  it('says what it understands when it does not', () => {
    expect(parseFilter('age', 'integer', '>five')).toMatchObject({
      kind: 'error',
      message: expect.stringContaining('5..9') as string,
    });
  });

  it('offers no filter on times', () => {
    expect(isFilterable('time')).toBe(false);
    expect(isFilterable('decimal')).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { readNames, writeNames } from './line-names';

describe('the lines in a link', () => {
  it('are read as they were written', () => {
    const names = ['A', '<img src=x>', 'é.b'];
    expect(readNames(writeNames(names))).toEqual(names);
  });

  it('may be none', () => {
    expect(readNames(writeNames([]))).toEqual([]);
  });

  it('are left out where they cannot be read', () => {
    expect(readNames('A.%%.B')).toEqual(['A', 'B']);
  });
});

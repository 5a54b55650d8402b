import { describe, expect, it } from 'vitest';
import { namesIn, readNames, writeNames } from './line-names';

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

describe('namesIn', () => {
  it('has each name once, as text, and none where there is none', () => {
    const rows = [12, true, null, '', 12, 'A'].map((shop) => ({ shop }));
    expect(namesIn(rows, 'shop')).toEqual(['12', 'true', 'A']);
  });
});

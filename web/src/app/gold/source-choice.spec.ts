import { describe, expect, it } from 'vitest';
import { sourceOptions, totalsOf } from './source-choice';
import { totals } from './testing/totals';

const ROWS = ['Murex', 'All', 'Calypso', ''].map((source) => totals({ source }));

describe('sourceOptions', () => {
  it('begins with all, then the systems by name, without those that have none', () => {
    expect(sourceOptions(ROWS, 'All')).toEqual(['All', 'Calypso', 'Murex']);
  });

  it('keeps the chosen system when it is gone', () => {
    expect(sourceOptions(ROWS, 'Sophis')).toEqual(['All', 'Calypso', 'Murex', 'Sophis']);
    expect(sourceOptions([], 'Sophis')).toEqual(['All', 'Sophis']);
  });
});

describe('totalsOf', () => {
  it('finds the sums of a system, or none', () => {
    expect(totalsOf(ROWS, 'Murex')?.source).toBe('Murex');
    expect(totalsOf(ROWS, 'Sophis')).toBeNull();
  });
});

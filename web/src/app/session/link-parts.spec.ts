import { describe, expect, it } from 'vitest';
import { sameEverywhere, sameParts, withParts } from './link-parts';

describe('withParts', () => {
  it('replaces, adds and removes', () => {
    expect(withParts({ a: '1', b: '2' }, { b: null, c: '3' })).toEqual({ a: '1', c: '3' });
  });
});

describe('sameParts', () => {
  it('does not mind the order', () => {
    expect(sameParts({ a: '1', b: '2' }, { b: '2', a: '1' })).toBe(true);
    expect(sameParts({ a: '1' }, { a: '2' })).toBe(false);
    expect(sameParts({ a: '1' }, { a: '1', b: '2' })).toBe(false);
  });
});

describe('sameEverywhere', () => {
  it('says something in an address that says nothing, for a tab may keep another look', () => {
    expect(sameEverywhere('/gold')).toBe('/gold?plain=');
    expect(sameEverywhere('/gold?of=All')).toBe('/gold?of=All');
  });
});

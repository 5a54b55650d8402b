import { describe, expect, it } from 'vitest';
import { decodeToken, encodeToken } from './token-text';

describe('A token', () => {
  it.each([
    'plain-42',
    '',
    'a b',
    'a_b.c~d',
    '%41',
    'Grüße',
    '日本',
    '😀',
    '"<&>\u0000\n',
    '-1.5e+3',
  ])('of %j is URL-safe and reads back', (text) => {
    const token = encodeToken(text);
    expect(token).toMatch(/^[A-Za-z0-9~-]*$/);
    expect(decodeToken(token)).toBe(text);
  });

  it('keeps a broken character from breaking the rest', () => {
    expect(decodeToken(encodeToken('a\ud800b'))).toBe('a\ufffdb');
  });

  it.each(['a.b', 'a b', '~', '~4', '~zz', '~ff', '%41', '~C3'])('is not %j', (token) => {
    expect(decodeToken(token)).toBeNull();
  });
});

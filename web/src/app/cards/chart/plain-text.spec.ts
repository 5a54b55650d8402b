import { describe, expect, it } from 'vitest';
import { plainText } from './plain-text';

describe('plainText', () => {
  it('leaves an ordinary name as it is', () => {
    expect(plainText('BRK.B')).toBe('BRK.B');
  });

  it('keeps markup as text, in one line, without the braces of a style', () => {
    expect(plainText('<img src=x onerror=a>\n{b|c}', 99)).toBe('<img src=x onerror=a> (b|c)');
  });

  it('cuts what is too long, never through a character', () => {
    expect(plainText('😀'.repeat(50))).toBe('😀'.repeat(27) + '…');
  });
});

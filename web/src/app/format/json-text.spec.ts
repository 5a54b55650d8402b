import { describe, expect, it } from 'vitest';
import { jsonText } from './json-text';

describe('jsonText', () => {
  it('writes a line for each value, as JSON.stringify does', () => {
    const held = { a: 1, b: [true, null, { c: 'x, {y}: "z" \\' }], d: {}, e: [], f: '' };
    for (const given of [JSON.stringify(held), JSON.stringify(held, null, 7)]) {
      expect(jsonText(given)).toBe(JSON.stringify(held, null, 2));
    }
    expect(jsonText(' [\n] ')).toBe('[]');
  });

  it('loses no digits and no name', () => {
    expect(jsonText('{"n":12345678901234567890.10,"n":1e400}')).toBe(
      '{\n  "n": 12345678901234567890.10,\n  "n": 1e400\n}',
    );
  });

  it('leaves alone what is no object or list', () => {
    for (const text of ['', '5', '"a"', 'null', '{', '{"a":1}…', '<b>x</b>', '{a:1}']) {
      expect(jsonText(text)).toBeNull();
    }
  });

  it('does not indent without end', () => {
    expect(jsonText('['.repeat(50_000) + ']'.repeat(50_000))).toBeNull();
  });

  it('takes a long text', () => {
    const long = JSON.stringify({ a: '\\"'.repeat(50_000) });
    expect(JSON.parse(jsonText(long)!)).toEqual(JSON.parse(long));
  });
});

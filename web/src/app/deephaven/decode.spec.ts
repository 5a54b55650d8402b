import { describe, expect, it } from 'vitest';
import { decodeCell, kindOf } from './decode';

/** A LongWrapper or DateWrapper of the JS API, as far as it matters here. */
const wrapper = (digits: string) => ({ toString: () => digits, valueOf: () => digits });

describe('decode', () => {
  it('keeps null as null whatever the column', () => {
    for (const kind of ['text', 'integer', 'decimal', 'time', 'flag'] as const) {
      expect(decodeCell(null, kind)).toBeNull();
    }
  });

  it('makes a safe long a number and a larger one a bigint', () => {
    expect(decodeCell(wrapper('42'), 'integer')).toBe(42);
    expect(decodeCell(wrapper('9007199254740993'), 'integer')).toBe(9007199254740993n);
  });

  it('makes an instant epoch milliseconds', () => {
    expect(decodeCell(wrapper('1794777986088000000'), 'time')).toBe(1794777986088);
  });

  it('keeps text and doubles as they are', () => {
    expect(decodeCell('<b>', 'text')).toBe('<b>');
    expect(decodeCell(-0.5, 'decimal')).toBe(-0.5);
  });

  it('knows the types of Deephaven and takes others for text', () => {
    expect(kindOf('java.time.Instant')).toBe('time');
    expect(kindOf('long')).toBe('integer');
    expect(kindOf('double')).toBe('decimal');
    expect(kindOf('java.lang.Object')).toBe('text');
  });
});

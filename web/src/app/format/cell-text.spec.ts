import { describe, expect, it } from 'vitest';
import { EMPTY, exportCell, formatCell, titleOf } from './cell-text';

describe('formatCell', () => {
  it('writes numbers with separators', () => {
    expect(formatCell(1234567, 'integer')).toBe('1,234,567');
    expect(formatCell(9007199254740993n, 'integer')).toBe('9,007,199,254,740,993');
    expect(formatCell(1234.5, 'decimal')).toBe('1,234.5');
  });

  it('writes money with two decimals', () => {
    expect(formatCell(-1999.857142, 'money')).toBe('−1,999.86');
    expect(formatCell(5, 'money')).toBe('5.00');
  });

  it('writes times of the local day with milliseconds and keeps the date for the tooltip', () => {
    const time = new Date(2026, 10, 5, 7, 8, 9, 12).getTime();
    expect(formatCell(time, 'time')).toBe('07:08:09.012');
    expect(titleOf(time, 'time')).toBe('2026-11-05 07:08:09.012');
  });

  it('writes prices, signed and short numbers, and keeps all digits for the tooltip', () => {
    expect(formatCell(37.6312, 'price')).toBe('37.63');
    expect(titleOf(37.6312, 'price')).toBe('37.6312');
    expect(formatCell(-12, 'signed')).toBe('−12.00');
    expect(formatCell(1.5, 'percent')).toBe('+1.50 %');
    expect(formatCell(12_400_000, 'compact')).toBe('12.4M');
    expect(titleOf(12_400_000, 'compact')).toBe('12,400,000');
  });

  it('writes sizes and days, and a text that was declared to be a time as it is', () => {
    expect(formatCell(12_400_000, 'bytes')).toBe('12.4 MB');
    expect(titleOf(12_400_000, 'bytes')).toBe('12,400,000');
    expect(formatCell(new Date(2026, 10, 5, 7).getTime(), 'date')).toBe('2026-11-05');
    expect(formatCell('yesterday', 'time')).toBe('yesterday');
  });

  it('writes nothing as a dash', () => {
    expect(formatCell(null, 'money')).toBe(EMPTY);
    expect(titleOf(null, 'money')).toBe('');
  });
});

describe('exportCell', () => {
  it('writes values that other programs read', () => {
    expect(exportCell(1234567, 'integer')).toBe('1234567');
    expect(exportCell(null, 'text')).toBe('');
    expect(exportCell(Date.UTC(2026, 10, 5), 'time')).toBe('2026-11-05T00:00:00.000Z');
  });
});

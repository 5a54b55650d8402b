import { describe, expect, it } from 'vitest';
import { look, table } from './testing/tables';
import { columnsOf, detailText, toneOf, valueText } from './value-text';

describe('valueText', () => {
  it('follows the card, then the column, then its type', () => {
    expect(valueText(1234.5, look('a'))).toBe('1,234.5');
    expect(valueText(1234.5, look('a', { format: 'money' }))).toBe('1,234.50');
    expect(valueText(1234.5, look('a', { format: 'money' }), 'compact')).toBe('1.23K');
    expect(valueText(1234.5, look('a'), 'number')).toBe('1,234.5');
    expect(valueText(5, look('a', { type: 'long' }))).toBe('5');
  });

  it('writes the sign where it has a colour', () => {
    const signed = look('a', { tone: 'sign', type: 'long' });
    expect(['integer', 'compact'].map((format) => valueText(5, signed, format))).toEqual([
      '+5',
      '+5.00',
    ]);
    expect([toneOf(5, signed), toneOf(-5, signed), toneOf(5, look('a'))]).toEqual([
      'up',
      'down',
      null,
    ]);
  });
});

describe('detailText', () => {
  it('puts the values of a row into a text, and leaves everything else as it is', () => {
    const sums = table([look('n', { type: 'long' }), look('sum', { format: 'money' })]);
    const text = '{n} orders <b>of {sum:compact}, {gone}';
    expect(columnsOf(text)).toEqual(['n', 'sum', 'gone']);
    expect(detailText(text, { n: 1200, sum: 5000 }, sums)).toBe('1,200 orders <b>of 5.00K, –');
  });

  it('does not read what a cell says as a text with columns', () => {
    expect(detailText('{n}', { n: '{sum}', sum: 5 }, undefined)).toBe('{sum}');
  });
});

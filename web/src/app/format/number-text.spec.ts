import { describe, expect, it } from 'vitest';
import {
  axisText,
  bytesText,
  compactText,
  countText,
  manyText,
  percentChangeText,
  percentText,
  priceText,
  signedCompactText,
  signedCountText,
  signedText,
  signOf,
} from './number-text';

describe('compactText', () => {
  it('keeps three digits and a unit from a thousand on', () => {
    expect([0, 5, 812.5, 1234, 12_400_000, 3.456e9, 7e12].map(compactText)).toEqual([
      '0.00',
      '5.00',
      '812.50',
      '1.23K',
      '12.4M',
      '3.46B',
      '7.00T',
    ]);
  });

  it('goes to the next unit when rounding does', () => {
    expect([999.999, 999_999, -999_999].map(compactText)).toEqual(['1.00K', '1.00M', '−1.00M']);
  });
});

describe('signed numbers', () => {
  it('have a sign, except for zero and what is written like it', () => {
    expect([1.5, -1.5, 0, 0.001, -0.001].map(signedText)).toEqual([
      '+1.50',
      '−1.50',
      '0.00',
      '0.00',
      '0.00',
    ]);
    expect([12_400_000, -2500].map(signedCompactText)).toEqual(['+12.4M', '−2.50K']);
  });

  it('in per cent have two decimals', () => {
    expect([1.5, -0.256, 0].map(percentText)).toEqual(['+1.50 %', '−0.26 %', '0.00 %']);
  });
});

describe('percentChangeText', () => {
  it('never looks like no change, nor like all when a few are left', () => {
    expect([50, -0.5, 1.5, 0.01, -99.99, -99.5, -100, 1134].map(percentChangeText)).toEqual([
      '+50 %',
      '−0.5 %',
      '+1.5 %',
      '+<0.1 %',
      '−>99.9 %',
      '−99.5 %',
      '−100 %',
      '+1134 %',
    ]);
  });
});

describe('priceText', () => {
  it('has two decimals, and four below ten', () => {
    expect([100.1234, 5, 1.23456, -37.63].map(priceText)).toEqual([
      '100.12',
      '5.0000',
      '1.2346',
      '−37.63',
    ]);
  });
});

describe('signOf', () => {
  it('agrees with the sign that is written', () => {
    expect([1, -1, 0, 0.001, null].map(signOf)).toEqual(['up', 'down', null, null, null]);
  });
});

describe('countText', () => {
  it('counts whole things, with a sign or by their word', () => {
    expect([1234, -5].map(countText)).toEqual(['1,234', '−5']);
    expect([5, 0, -1].map(signedCountText)).toEqual(['+5', '0', '−1']);
    expect([1, 2000].map((n) => manyText(n, 'record'))).toEqual(['1 record', '2,000 records']);
  });
});

describe('bytesText', () => {
  it('keeps a tenth of the largest unit', () => {
    expect([0, 999, 1500, -12_340_000].map(bytesText)).toEqual([
      '0 B',
      '999 B',
      '1.5 kB',
      '−12.3 MB',
    ]);
  });
});

describe('axisText', () => {
  it.each([
    [0, '0'],
    [0.5, '0.5'],
    [100, '100'],
    [1000, '1K'],
    [1500, '1.5K'],
    [10_000, '10K'],
    [100_000, '100K'],
    [250_000, '250K'],
    [-150_000, '−150K'],
    [500_000_000, '500M'],
  ])('writes %d as %s', (value, text) => {
    expect(axisText(value)).toBe(text);
  });
});

import { describe, expect, it } from 'vitest';
import { guardFormula, toCsv, toTsv } from './export-text';

describe('toCsv', () => {
  it('quotes commas, quotes and line breaks', () => {
    expect(toCsv([['a,b', 'say "hi"', 'two\nlines', 'plain']])).toBe(
      '"a,b","say ""hi""","two\nlines",plain\r\n',
    );
  });

  it('disarms text that a spreadsheet would run', () => {
    for (const text of ['=SUM(A1:A9)', '+1+1', '-2+3', '@cmd', '\tx', '\rx']) {
      expect(guardFormula(text)).toBe(`'${text}`);
    }
  });

  it('leaves negative numbers alone', () => {
    expect(toCsv([['-1999.86', '1e-7', '-2e5']])).toBe('-1999.86,1e-7,-2e5\r\n');
  });
});

describe('toTsv', () => {
  it('keeps one line per row', () => {
    expect(toTsv([['a\tb', 'c\nd'], ['=x']])).toBe("a b\tc d\n'=x");
  });
});

import { describe, expect, it } from 'vitest';
import { MOST_SAMPLES, SAMPLE_EVERY, Samples } from './samples';
import { totals } from './testing/totals';
import { TotalsHistory } from './totals-history';

describe('Samples', () => {
  it('takes at most one each five seconds', () => {
    const samples = new Samples();
    const taken = [0, 1_000, 4_999, 5_000, 9_000].map((at) => samples.add('a', at, at));
    expect(taken).toEqual([true, false, false, true, false]);
    expect(samples.of('a').map(({ at }) => at)).toEqual([0, 5_000]);
  });

  it('keeps only the newest', () => {
    const samples = new Samples();
    for (let n = 0; n < 2 * MOST_SAMPLES; n++) {
      samples.add('a', n, n * SAMPLE_EVERY);
    }
    expect(samples.of('a')).toHaveLength(MOST_SAMPLES);
    expect(samples.of('a').at(-1)?.value).toBe(2 * MOST_SAMPLES - 1);
  });

  it('knows nothing of another name', () => {
    expect(new Samples().of('b')).toEqual([]);
  });
});

describe('TotalsHistory', () => {
  it('keeps the sums of each source system apart', () => {
    const history = new TotalsHistory();
    const rows = [totals(), totals({ source: 'Murex', gainers: 1, losers: 4, pnl: null })];
    expect(history.add(rows, 0, 1)).toBe(true);
    expect(history.add(rows, 100, 1)).toBe(false);
    expect(history.of('All')).toEqual({
      movers: [{ at: 0, value: 14 }],
      pnl: [{ at: 0, value: -2500 }],
    });
    expect(history.of('Murex')).toEqual({ movers: [{ at: 0, value: -3 }], pnl: [] });
  });

  it('begins anew with another generation, and forgets systems that are gone', () => {
    const history = new TotalsHistory();
    history.add([totals(), totals({ source: 'Murex' })], 0, 1);
    history.add([totals()], 5_000, 1);
    expect(history.of('All').pnl).toHaveLength(2);
    expect(history.of('Murex').pnl).toEqual([]);
    history.add([totals()], 5_001, 2);
    expect(history.of('All').pnl).toEqual([{ at: 5_001, value: -2500 }]);
  });
});

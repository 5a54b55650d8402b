import { describe, expect, it } from 'vitest';
import { MOST_SAMPLES, SAMPLE_EVERY, Samples } from './samples';
import { TileHistory } from './tile-history';

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

describe('TileHistory', () => {
  const figures = (...pairs: [string, number | null][]) => new Map(pairs);

  it('keeps the figures of each choice apart', () => {
    const history = new TileHistory();
    const both = figures(['All', 14], ['Murex', null]);
    expect(history.add(both, 0, 1)).toBe(true);
    expect(history.add(both, 100, 1)).toBe(false);
    expect(history.of('All')).toEqual([{ at: 0, value: 14 }]);
    expect(history.of('Murex')).toEqual([]);
  });

  it('begins again with another generation, and forgets choices that are gone', () => {
    const history = new TileHistory();
    history.add(figures(['All', 1], ['Murex', 2]), 0, 1);
    history.add(figures(['All', 3]), 5_000, 1);
    expect(history.of('All')).toHaveLength(2);
    expect(history.of('Murex')).toEqual([]);
    history.add(figures(['All', 4]), 5_001, 2);
    expect(history.of('All')).toEqual([{ at: 5_001, value: 4 }]);
  });
});

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
  it('keeps the figures of each choice apart, also while another one is shown', () => {
    const history = new TileHistory();
    expect(history.add('All', 14, 0, 1)).toBe(true);
    expect(history.add('All', 15, 100, 1)).toBe(false);
    expect(history.add('Murex', null, 200, 1)).toBe(false);
    expect(history.add('Murex', 3, 5_000, 1)).toBe(true);
    expect(history.of('All')).toEqual([{ at: 0, value: 14 }]);
    expect(history.of('Murex')).toEqual([{ at: 5_000, value: 3 }]);
  });

  it('begins again with another generation', () => {
    const history = new TileHistory();
    history.add('All', 1, 0, 1);
    history.add('Murex', 2, 0, 1);
    history.add('All', 3, 5_000, 1);
    expect(history.of('All')).toHaveLength(2);
    history.add('All', 4, 5_001, 2);
    expect(history.of('All')).toEqual([{ at: 5_001, value: 4 }]);
    expect(history.of('Murex')).toEqual([]);
  });
});

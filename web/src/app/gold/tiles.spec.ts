import { describe, expect, it } from 'vitest';
import { totals } from './testing/totals';
import { tilesOf, type TileData } from './tiles';

const DATA: TileData = {
  totals: totals(),
  missing: 'No positions yet',
  trend: [],
  now: null,
  movers: [],
  pnl: [],
};

const texts = (data: Partial<TileData>) =>
  tilesOf({ ...DATA, ...data }).map(({ value, detail }) => [value, detail]);

describe('tilesOf', () => {
  it('writes the figures in few characters, with signs', () => {
    expect(texts({})).toEqual([
      ['12.4M', '1,200 trades'],
      ['1,200', '10.3K on average'],
      ['▲ 25  ▼ 11', '+14 net: gainers less losers'],
      ['−2.50K', 'MTM 31.0K, 40 positions'],
    ]);
  });

  it('says when nothing was traded', () => {
    const quiet = texts({ totals: totals({ trades: 0, notional: 0, gainers: 0, losers: 0 }) });
    expect(quiet.slice(0, 3)).toEqual([
      ['0.00', 'No trades in the last 5 minutes'],
      ['0', 'No trades in the last 5 minutes'],
      ['▲ 0  ▼ 0', 'No trades in the last 5 minutes'],
    ]);
  });

  it('says why there are no figures', () => {
    expect(texts({ totals: null })).toEqual(Array(4).fill(['–', 'No positions yet']));
  });

  it('gives only profit and loss a colour', () => {
    const signs = (pnl: number | null) =>
      tilesOf({ ...DATA, totals: totals({ pnl }) }).map(({ sign }) => sign);
    expect(signs(5)).toEqual([null, null, null, 'up']);
    expect(signs(-5)).toEqual([null, null, null, 'down']);
    expect(signs(null)).toEqual([null, null, null, null]);
  });

  it('draws and tells the trends', () => {
    const tiles = tilesOf({
      ...DATA,
      trend: [
        { at: 0, trades: 1, notional: 1_000 },
        { at: 5_000, trades: 3, notional: 2_000 },
        { at: 10_000, trades: 0, notional: 0 },
      ],
      pnl: [
        { at: 0, value: 5 },
        { at: 5_000, value: -5 },
      ],
    });
    expect(tiles.map(({ trend }) => trend)).toEqual([
      'Trend from 1.00K to 2.00K, lowest 1.00K, highest 2.00K',
      'Trend from 1 to 3, lowest 1, highest 3',
      'No trend yet',
      'Trend from +5.00 to −5.00, lowest −5.00, highest +5.00',
    ]);
    expect(tiles.map(({ path }) => path !== '')).toEqual([true, true, false, true]);
  });
});

import { describe, expect, it } from 'vitest';
import type { TileCard } from '../catalogue/cards';
import type { Cells } from '../live-rows/read-records';
import { look, table, TILE } from './testing/tables';
import { tileColumns, tileOf, trendValue } from './tile';

const SUMS = table([
  look('notional', { format: 'compact' }),
  look('trades', { type: 'long' }),
  look('gainers', { type: 'long' }),
  look('losers', { type: 'long' }),
  look('net', { type: 'long', tone: 'sign' }),
  look('pnl', { format: 'signed', tone: 'sign' }),
  look('mtm', { format: 'money' }),
]);
const ROW: Cells = {
  notional: 12_400_000,
  trades: 1200,
  gainers: 25,
  losers: 11,
  net: 14,
  pnl: -2500,
  mtm: 31_000,
};
const NONE = 'No trades in the last 5 minutes';
const NOTIONAL = { value: 'notional', detail: '{trades} trades', empty: NONE };
const MOVERS = { value: 'gainers', down: 'losers', detail: '{net} net', empty: NONE };
const PNL = { value: 'pnl', format: 'compact', detail: 'MTM {mtm:compact}, {trades} trades' };

const tile = (card: Partial<TileCard>, row: Cells | null = ROW) =>
  tileOf({ ...TILE, ...card }, SUMS, row, [], 'No rows yet');

describe('tileOf', () => {
  it('writes figures as their columns and the card say, with signs where these have a colour', () => {
    expect([NOTIONAL, MOVERS, PNL].map((card) => tile(card))).toMatchObject([
      { value: '12.4M', detail: '1,200 trades', sign: null },
      { value: '▲ 25  ▼ 11', detail: '+14 net', sign: null },
      { value: '−2.50K', detail: 'MTM 31.0K, 1,200 trades', sign: 'down' },
    ]);
  });

  it('puts the unit beside the value', () => {
    expect(tile({ ...NOTIONAL, unit: 'EUR' }).unit).toBe('EUR');
    expect(tile({ ...NOTIONAL, unit: 'EUR' }, null).unit).toBe('');
  });

  it('says when the figure is nothing', () => {
    const quiet = { ...ROW, notional: 0, gainers: 0, losers: 0, pnl: 0 };
    expect(tile(NOTIONAL, quiet)).toMatchObject({ value: '0.00', detail: NONE });
    expect(tile(MOVERS, quiet)).toMatchObject({ value: '▲ 0  ▼ 0', detail: NONE });
    expect(tile(MOVERS, { ...quiet, losers: 1 }).detail).toBe('+14 net');
    expect(tile(PNL, quiet).detail).toBe('MTM 31.0K, 1,200 trades');
  });

  it('says why there is no figure', () => {
    expect(tile(PNL, null)).toMatchObject({ value: '–', detail: 'No rows yet', sign: null });
    expect(tile(PNL, { ...ROW, pnl: null })).toMatchObject({ value: '–', sign: null });
  });

  it('draws and tells the trend', () => {
    const points = [5, -5].map((value, n) => ({ at: n * 5_000, value }));
    const { path, trend } = tileOf({ ...TILE, ...PNL }, SUMS, ROW, points, '');
    expect(trend).toBe('Trend from +5.00 to −5.00, lowest −5.00, highest +5.00');
    expect(path).not.toBe('');
    expect(tile(PNL)).toMatchObject({ trend: 'No trend yet', path: '' });
  });
});

describe('What a tile reads', () => {
  it('is the value, what went the other way, and what the detail names', () => {
    const columns = tileColumns({ ...TILE, ...MOVERS, detail: '{net} of {trades:compact}' });
    expect(columns).toEqual(['gainers', 'losers', 'net', 'trades']);
  });

  it('has a trend of the value, or of the difference', () => {
    expect(trendValue({ ...TILE, ...PNL }, ROW)).toBe(-2500);
    expect(trendValue({ ...TILE, ...MOVERS }, ROW)).toBe(14);
    expect(trendValue({ ...TILE, ...MOVERS }, { ...ROW, losers: null })).toBeNull();
  });
});

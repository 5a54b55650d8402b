import type { Totals } from '../gold-records';

/** The sums of all source systems, with some of them replaced. */
export function totals(more: Partial<Totals> = {}): Totals {
  return {
    source: 'All',
    positions: 40,
    trades: 1200,
    notional: 12_400_000,
    pnl: -2500,
    mtm: 31_000,
    gainers: 25,
    losers: 11,
    now: null,
    ...more,
  };
}

import type { RecordReader } from '../live-rows/read-records';

/** The sums of a source system, or of all. */
export interface Totals {
  readonly source: string;
  readonly positions: number;
  /** Trades and notional of the last five minutes. */
  readonly trades: number;
  readonly notional: number;
  readonly pnl: number | null;
  readonly mtm: number | null;
  /** How many symbols rose and fell in the last five minutes. */
  readonly gainers: number;
  readonly losers: number;
  /** The time at the server, in the row of all source systems only. */
  readonly now: number | null;
}

/** What was traded in five seconds. */
export interface TrendPoint {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly trades: number;
  readonly notional: number;
}

/** Profit or loss of an instrument or an allotment. */
export interface PnlGroup {
  readonly name: string;
  readonly pnl: number;
  readonly mtm: number | null;
  readonly positions: number;
  readonly outcome: 'Gain' | 'Loss';
}

/** A symbol whose price has moved. */
export interface Mover {
  readonly symbol: string;
  readonly last: number | null;
  /** Per cent. */
  readonly change: number;
  readonly trades: number;
}

/** A symbol with a high price. */
export interface TopPrice {
  readonly symbol: string;
  readonly price: number | null;
  readonly sector: string;
  readonly exchange: string;
}

/** The last price of a symbol in five seconds, at one source system. */
export interface PriceBucket {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly last: number | null;
  readonly trades: number;
}

/** Reads a row of `gold_totals`. */
export function readTotals(row: RecordReader): Totals {
  return {
    source: row.text('sourceSystem'),
    positions: row.number('positions') ?? 0,
    trades: row.number('trades') ?? 0,
    notional: row.number('notional') ?? 0,
    pnl: row.number('pnl'),
    mtm: row.number('mtm'),
    gainers: row.number('gainers') ?? 0,
    losers: row.number('losers') ?? 0,
    now: row.time('now'),
  };
}

/** Reads a row of `gold_trend`. */
export function readTrendPoint(row: RecordReader): TrendPoint {
  return {
    at: row.time('bucket') ?? 0,
    trades: row.number('trades') ?? 0,
    notional: row.number('notional') ?? 0,
  };
}

/** Reads rows of `pnl_by_instrument` or `pnl_by_allotment`. */
export function readPnlGroup(column: 'instrument' | 'allotment'): (row: RecordReader) => PnlGroup {
  return (row) => ({
    name: row.text(column) || 'not given',
    pnl: row.number('pnl') ?? 0,
    mtm: row.number('mtm'),
    positions: row.number('positions') ?? 0,
    outcome: row.text('outcome') === 'Loss' ? 'Loss' : 'Gain',
  });
}

/** Reads a row of `top_movers` or of the KPIs. */
export function readMover(row: RecordReader): Mover {
  return {
    symbol: row.text('symbol'),
    last: row.number('last'),
    change: row.number('change_pct') ?? 0,
    trades: row.number('trades') ?? 0,
  };
}

/** Reads a row of `top_by_px` or `gold_latest`. */
export function readTopPrice(row: RecordReader): TopPrice {
  return {
    symbol: row.text('symbol'),
    price: row.number('price'),
    sector: row.text('sector'),
    exchange: row.text('exchange'),
  };
}

/** Reads a row of `gold_buckets`. */
export function readPriceBucket(row: RecordReader): PriceBucket {
  return {
    at: row.time('bucket') ?? 0,
    last: row.number('last'),
    trades: row.number('trades') ?? 0,
  };
}

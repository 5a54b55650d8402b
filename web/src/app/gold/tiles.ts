import { compactText, plainMinus, signedCompactText, signOf } from '../live-table/number-text';
import { EMPTY } from '../live-table/format';
import type { Totals, TrendPoint } from './gold-records';
import type { Point } from './samples';
import { sparkPath, sparkText } from './sparkline';
import { trendLine } from './trend';

/** A figure, as drawn. */
export interface Tile {
  readonly name: 'notional' | 'trades' | 'movers' | 'pnl';
  readonly title: string;
  readonly value: string;
  /** Which way the value points, where that has a colour. */
  readonly sign: 'up' | 'down' | null;
  readonly detail: string;
  /** The trend as an SVG path, and in words. */
  readonly path: string;
  readonly trend: string;
}

/** What the tiles are made of. */
export interface TileData {
  /** The sums of the chosen source system; null when it has none. */
  readonly totals: Totals | null;
  /** What to say when there are no sums. */
  readonly missing: string;
  readonly trend: readonly TrendPoint[];
  /** The time at the server, if it is known. */
  readonly now: number | null;
  /** Risers less fallers, and profit or loss, since the page was opened. */
  readonly movers: readonly Point[];
  readonly pnl: readonly Point[];
}

const count = (value: number) => value.toLocaleString('en-US');
const signedCount = (value: number) => (value > 0 ? `+${value}` : plainMinus(String(value)));

/** The tiles of a source system. */
export function tilesOf(data: TileData): readonly Tile[] {
  return [notional(data), trades(data), movers(data), pnl(data)];
}

function notional({ totals, missing, trend, now }: TileData): Tile {
  return {
    name: 'notional',
    title: 'Notional, 5 min',
    value: totals ? compactText(totals.notional) : EMPTY,
    sign: null,
    detail: totals ? traded(totals, `${count(totals.trades)} trades`) : missing,
    ...line(trendLine(trend, 'notional', now), compactText),
  };
}

function trades({ totals, missing, trend, now }: TileData): Tile {
  const average = totals && totals.trades > 0 ? totals.notional / totals.trades : 0;
  return {
    name: 'trades',
    title: 'Trades, 5 min',
    value: totals ? count(totals.trades) : EMPTY,
    sign: null,
    detail: totals ? traded(totals, `${compactText(average)} on average`) : missing,
    ...line(trendLine(trend, 'trades', now), count),
  };
}

function movers({ totals, missing, movers: points }: TileData): Tile {
  const net = totals ? totals.gainers - totals.losers : 0;
  return {
    name: 'movers',
    title: 'Movers, 5 min',
    value: totals ? `▲ ${count(totals.gainers)}  ▼ ${count(totals.losers)}` : EMPTY,
    sign: null,
    detail: totals ? traded(totals, `${signedCount(net)} net: gainers less losers`) : missing,
    ...line(points, signedCount),
  };
}

function pnl({ totals, missing, pnl: points }: TileData): Tile {
  const text = (value: number | null) => (value === null ? EMPTY : signedCompactText(value));
  const positions = totals ? `${count(totals.positions)} position${plural(totals.positions)}` : '';
  return {
    name: 'pnl',
    title: 'P&L',
    value: text(totals?.pnl ?? null),
    sign: signOf(totals?.pnl ?? null),
    detail: totals ? `MTM ${text(totals.mtm).replace('+', '')}, ${positions}` : missing,
    ...line(points, signedCompactText),
  };
}

/** A detail of what was traded, or that nothing was. */
function traded({ trades }: Totals, detail: string): string {
  return trades > 0 ? detail : 'No trades in the last 5 minutes';
}

function line(points: readonly Point[], format: (value: number) => string) {
  return { path: sparkPath(points), trend: sparkText(points, format) };
}

function plural(value: number): string {
  return value === 1 ? '' : 's';
}

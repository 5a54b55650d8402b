import type { PriceBucket } from './gold-records';
import type { Point } from './samples';

/** The prices of a symbol, oldest first. */
export interface PriceLine {
  readonly symbol: string;
  readonly points: readonly Point[];
}

/**
 * The prices by time, oldest first: one per step. Where several source systems traded in the same
 * step nobody knows which price was the last, so it is the mean of theirs, weighted by their trades.
 */
export function priceLine(symbol: string, buckets: readonly PriceBucket[]): PriceLine {
  const steps = new Map<number, { sum: number; weight: number }>();
  for (const { at, last, trades } of buckets) {
    if (last !== null) {
      const { sum, weight } = steps.get(at) ?? { sum: 0, weight: 0 };
      const more = Math.max(1, trades);
      steps.set(at, { sum: sum + last * more, weight: weight + more });
    }
  }
  const points = [...steps].map(([at, { sum, weight }]) => ({ at, value: sum / weight }));
  return { symbol, points: points.sort((a, b) => a.at - b.at) };
}

/** The last price, and how much it has changed since the first, in per cent. */
export function lastOf({ points }: PriceLine): { price: number; change: number } | null {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) {
    return null;
  }
  const from = Math.abs(first.value);
  const change = from === 0 ? 0 : ((last.value - first.value) / from) * 100;
  return { price: last.value, change };
}

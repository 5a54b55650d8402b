import type { Cell } from '../deephaven/decode';
import type { Totals } from './gold-records';
import { Samples, type Point } from './samples';

/** The sums of a source system over time. */
export interface Past {
  /** Risers less fallers. */
  readonly movers: readonly Point[];
  readonly pnl: readonly Point[];
}

/** What the sums of each source system were since the page was opened, of one generation. */
export class TotalsHistory {
  private readonly movers = new Samples();
  private readonly pnl = new Samples();
  private generation: Cell = null;

  /** Takes the sums of a moment; returns whether any was due. */
  add(totals: readonly Totals[], at: number, generation: Cell): boolean {
    const known = new Set(generation === this.generation ? totals.map(({ source }) => source) : []);
    this.generation = generation;
    [this.movers, this.pnl].forEach((samples) => samples.keep(known));
    const taken = totals.map(({ source, gainers, losers, pnl }) => {
      const moved = this.movers.add(source, gainers - losers, at);
      return (pnl !== null && this.pnl.add(source, pnl, at)) || moved;
    });
    return taken.includes(true);
  }

  /** The sums of a source system, oldest first. */
  of(source: string): Past {
    return { movers: this.movers.of(source), pnl: this.pnl.of(source) };
  }
}

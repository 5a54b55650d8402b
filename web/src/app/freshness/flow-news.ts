import { percentile } from './latency-window';

/** Nothing shorter counts as unusual: the parts report every two seconds. */
export const SHORTEST = 15_000;
/** What is usual as long as too little has been seen of a flow. */
const UNLEARNED = 60_000;
/** How many gaps are remembered, and how many it takes to learn from. */
const MOST_GAPS = 60;
const LEAST_GAPS = 5;
/** How much longer than almost all gaps before one must be to be unusual. */
const SLACK = 3;

/** When something new last came of a flow, and how long that usually takes, as seen in this page. */
export class FlowNews {
  private count: number | null = null;
  private gaps: readonly number[] = [];
  /** Whether the page knows nothing but when it was opened. */
  private unseen = true;

  constructor(private cameAt: number) {}

  /** Takes how many records have come of the flow; another number than before is news. */
  take(count: number, at: number): void {
    if (this.count !== null && count !== this.count) {
      this.gaps = [...this.gaps, at - this.cameAt].slice(-MOST_GAPS);
      this.cameAt = at;
      this.unseen = false;
    }
    this.count = count;
  }

  /**
   * Takes when the newest record at the source was written, where all of them have come. Until the
   * page sees one come, that is when the last one did.
   */
  takeNewest(written: number): void {
    if (this.unseen) {
      this.cameAt = Math.min(this.cameAt, written);
    }
  }

  /** Forgets the time of an outage: nothing can be said about what came meanwhile. */
  resume(at: number): void {
    this.cameAt = Math.max(this.cameAt, at);
    this.unseen = false;
  }

  /** How long nothing has come. */
  quietFor(now: number): number {
    return Math.max(0, now - this.cameAt);
  }

  /** Whether nothing has come for longer than is usual. */
  isLate(now: number): boolean {
    return this.quietFor(now) > this.usual;
  }

  /** The longest time without news that is nothing to wonder about. */
  get usual(): number {
    if (this.gaps.length < LEAST_GAPS) {
      return UNLEARNED;
    }
    const sorted = [...this.gaps].sort((a, b) => a - b);
    return Math.max(SHORTEST, SLACK * (percentile(sorted, 0.95) ?? 0));
  }
}

/** Percentiles over the last samples: so many at most, and none older than so long. */
export class LatencyWindow {
  private samples: { readonly value: number; readonly at: number }[] = [];

  constructor(
    private readonly most = 2_000,
    private readonly longest = 60_000,
  ) {}

  /** Adds a sample taken at a time. */
  add(value: number, at: number): void {
    this.samples.push({ value, at });
    // Cut in blocks: dropping the first of a long array for every sample would be slow.
    if (this.samples.length >= this.most * 2) {
      this.samples = this.samples.slice(-this.most);
    }
  }

  /** How many samples count at a time, and the values below which half and 99% of them lie. */
  read(now: number): { count: number; p50: number | null; p99: number | null } {
    this.samples = this.samples.slice(-this.most).filter(({ at }) => now - at <= this.longest);
    const sorted = this.samples.map(({ value }) => value).sort((a, b) => a - b);
    return { count: sorted.length, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
  }
}

/** The value of sorted numbers at a fraction, by nearest rank; null if there are none. */
export function percentile(sorted: readonly number[], fraction: number): number | null {
  return sorted[Math.max(0, Math.ceil(fraction * sorted.length) - 1)] ?? null;
}

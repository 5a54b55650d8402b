/** A value at a time. */
export interface Point {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly value: number;
}

/** How far apart samples are at least, in milliseconds. */
export const SAMPLE_EVERY = 5_000;
/** How many samples of a name are kept. */
export const MOST_SAMPLES = 180;

/** Values seen since the page was opened, by name: bounded, and not too close together. */
export class Samples {
  private readonly points = new Map<string, readonly Point[]>();

  /** Takes a value, unless one was taken just before; returns whether it did. */
  add(name: string, value: number, at: number): boolean {
    const points = this.of(name);
    const last = points.at(-1);
    const due = !last || at - last.at >= SAMPLE_EVERY;
    if (due) {
      this.points.set(name, [...points, { at, value }].slice(-MOST_SAMPLES));
    }
    return due;
  }

  /** The values of a name, oldest first. */
  of(name: string): readonly Point[] {
    return this.points.get(name) ?? [];
  }
}

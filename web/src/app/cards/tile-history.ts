import type { Cell } from '../deephaven/decode';
import { Samples, type Point } from './samples';

/** What a figure was while the page showed it, of one generation, for each choice of the page. */
export class TileHistory {
  private samples = new Samples();
  private generation: Cell = null;

  /** Takes the figure of a choice at a moment; returns whether it was due. */
  add(choice: string, value: number | null, at: number, generation: Cell): boolean {
    if (generation !== this.generation) {
      this.samples = new Samples();
      this.generation = generation;
    }
    return value !== null && this.samples.add(choice, value, at);
  }

  /** The figures of a choice, oldest first. */
  of(choice: string): readonly Point[] {
    return this.samples.of(choice);
  }
}

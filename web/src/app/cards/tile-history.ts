import type { Cell } from '../deephaven/decode';
import { Samples, type Point } from './samples';

/** What a figure was since the page was opened, of one generation, for each choice of the page. */
export class TileHistory {
  private readonly samples = new Samples();
  private generation: Cell = null;

  /** Takes the figures of a moment by what they are of; returns whether any was due. */
  add(figures: ReadonlyMap<string, number | null>, at: number, generation: Cell): boolean {
    this.samples.keep(new Set(generation === this.generation ? figures.keys() : []));
    this.generation = generation;
    const taken = [...figures].map(
      ([name, value]) => value !== null && this.samples.add(name, value, at),
    );
    return taken.includes(true);
  }

  /** The figures of a choice, oldest first. */
  of(name: string): readonly Point[] {
    return this.samples.of(name);
  }
}

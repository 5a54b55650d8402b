import type { Cell } from './decode';
import type { Snapshot } from './feed';

/** The column that tells the generation of a row; all rows of a snapshot have the same. */
export const GENERATION_COLUMN = 'generation';
/** How long a snapshot may be held, in milliseconds; the updates of one flip lie within 100. */
export const HOLD_TIME = 1_000;

/** Where a viewport's snapshots go; it also stands for the viewport. */
export type Publish = (snapshot: Snapshot) => void;

/** A viewport that has rows, or knows that there are none. A generation is null where no row is. */
interface Place {
  shown: Cell;
  held: { snapshot: Snapshot; readonly generation: Cell } | null;
}

/**
 * Lets a group of viewports go to another generation together.
 *
 * The server flips all views of a flow at once, but each viewport hears of it in its own message. A
 * snapshot of another generation than the one shown is held until the rows of all viewports are of
 * one generation; then all held ones are published in one go. None is held longer than `HOLD_TIME`,
 * whatever becomes of the others, and of each viewport only the newest is kept.
 */
export class GenerationGate {
  private readonly places = new Map<Publish, Place>();
  /** Runs while anything is held. */
  private timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Publishes a snapshot now or with the others. The first one of a viewport is never held, nor one
   * of the generation shown, which may be from a moved window or after a way back. One without rows
   * is held only while others are, since it may be part of their flip.
   */
  pass(publish: Publish, snapshot: Snapshot, generation: Cell): void {
    const place = this.places.get(publish);
    const stays = generation === null ? this.timer === undefined : generation === place?.shown;
    if (!place || stays) {
      this.places.set(publish, { shown: generation, held: null });
      publish(snapshot);
    } else {
      place.held = { snapshot, generation };
      this.timer ??= setTimeout(() => this.release(), HOLD_TIME);
    }
    this.settle();
  }

  /** Gives the held snapshot of a viewport another total; returns whether there is one. */
  resize(publish: Publish, total: number): boolean {
    const held = this.places.get(publish)?.held;
    if (held) {
      held.snapshot = { ...held.snapshot, total };
    }
    return !!held;
  }

  /** Drops what a viewport holds, since newer rows are on their way; the others wait for them. */
  retract(publish: Publish): void {
    const place = this.places.get(publish);
    if (place) {
      place.held = null;
      this.settle();
    }
  }

  /** Forgets a viewport and what it holds; nobody waits for it any more. */
  leave(publish: Publish): void {
    this.places.delete(publish);
    this.settle();
  }

  /** Forgets all viewports, as when their session is lost: they keep the rows that go together. */
  clear(): void {
    this.places.clear();
    this.settle();
  }

  /** Releases what is held if the rows of all viewports are of one generation. */
  private settle(): void {
    const places = [...this.places.values()];
    const held = places.flatMap((place) => place.held ?? []);
    if (held.length === 0) {
      this.stopTimer();
      return;
    }
    const flipped = generations(held.map(({ generation }) => generation));
    const all = generations(places.map(({ shown, held }) => (held ? held.generation : shown)));
    // Held ones without rows say nothing about where the others are going, so they wait.
    if (all.size <= 1 && flipped.size === all.size) {
      this.release();
    }
  }

  private release(): void {
    this.stopTimer();
    const released = [...this.places].flatMap(([publish, place]) => {
      const held = place.held;
      if (!held) {
        return [];
      }
      place.shown = held.generation;
      place.held = null;
      return [() => publish(held.snapshot)];
    });
    // Only now, so that a listener finds the gate in its new state.
    released.forEach((publishHeld) => publishHeld());
  }

  private stopTimer(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}

/** The generations there are, without the null of those that have no rows. */
function generations(cells: readonly Cell[]): Set<Cell> {
  return new Set(cells.filter((cell) => cell !== null));
}

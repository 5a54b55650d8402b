/** The least time between two drawings, in milliseconds. */
export const DRAW_EVERY = 250;

/** What a pace needs of the browser. */
export interface Surroundings {
  /** Calls back in the next animation frame. */
  frame(callback: () => void): void;
  /** Calls back after so many milliseconds. */
  later(callback: () => void, milliseconds: number): void;
  /** Whether nobody can see the page. */
  hidden(): boolean;
  clock(): number;
}

/**
 * Draws charts together, a few times a second at most and never while nobody looks. However often
 * a drawing is asked for meanwhile, it happens once.
 */
export class ChartPace {
  private readonly waiting = new Set<() => void>();
  private planned = false;
  private drawnAt = -Infinity;

  constructor(private readonly around: Surroundings) {}

  /** Asks for a drawing. */
  request(draw: () => void): void {
    this.waiting.add(draw);
    this.plan();
  }

  /** Forgets a drawing. */
  cancel(draw: () => void): void {
    this.waiting.delete(draw);
  }

  /** Draws what waits without delay, as when everything on the page changes at once. */
  hurry(): void {
    if (this.around.hidden()) {
      return;
    }
    this.drawnAt = this.around.clock();
    const drawings = [...this.waiting];
    this.waiting.clear();
    drawings.forEach((draw) => draw());
  }

  /** Goes on when the page can be seen again. */
  resume(): void {
    this.plan();
  }

  private plan(): void {
    if (this.planned || this.waiting.size === 0 || this.around.hidden()) {
      return;
    }
    this.planned = true;
    const wait = this.drawnAt + DRAW_EVERY - this.around.clock();
    if (wait > 0) {
      this.around.later(() => this.around.frame(() => this.arrive()), wait);
    } else {
      this.around.frame(() => this.arrive());
    }
  }

  /** The frame has come; if charts were drawn in a hurry meanwhile, it is too early again. */
  private arrive(): void {
    this.planned = false;
    if (this.around.clock() - this.drawnAt < DRAW_EVERY) {
      this.plan();
    } else {
      this.hurry();
    }
  }
}

import type { GridLook } from './grid-look';
import { encodeLook } from './look-text';

/** How long a viewer must leave a grid alone before its look is told, in milliseconds. */
export const LOOK_PAUSE = 400;

/** Tells a look once the viewer has left it alone for a moment, and only if it is another one. */
export class LookReport {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private told: string;

  constructor(
    private readonly look: () => GridLook,
    private readonly tell: (look: GridLook) => void,
    known: GridLook,
  ) {
    this.told = encodeLook(known);
  }

  /** Whether a look is the one that was told last, or that the page gave. */
  knows(look: GridLook): boolean {
    return encodeLook(look) === this.told;
  }

  /** Takes a look as known to the page, which gave it. */
  learn(look: GridLook): void {
    clearTimeout(this.timer);
    this.told = encodeLook(look);
  }

  /** Tells the look soon. */
  soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const look = this.look();
      if (!this.knows(look)) {
        this.told = encodeLook(look);
        this.tell(look);
      }
    }, LOOK_PAUSE);
  }

  /** Tells nothing more. */
  stop(): void {
    clearTimeout(this.timer);
  }
}

import { FLASH_TIME } from './row-models';

/** Asks for drawings when tints are to fade and to go, even when no further update comes. */
export class FadeTimer {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly draw: () => void) {}

  /** Starts over after an update. */
  restart(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.draw();
      this.timer = setTimeout(this.draw, FLASH_TIME / 2);
    }, FLASH_TIME / 2);
  }

  /** Asks for nothing more. */
  stop(): void {
    clearTimeout(this.timer);
  }
}

import { DestroyRef, inject, Injectable } from '@angular/core';
import { ChartPace } from './chart-pace';

/** The pace of the charts of a page, so that they are drawn in the same frame. */
@Injectable()
export class ChartPaceService {
  /** Draws them together. */
  readonly pace = new ChartPace({
    frame: (callback) => void requestAnimationFrame(callback),
    later: (callback, milliseconds) => void setTimeout(callback, milliseconds),
    hidden: () => document.hidden,
    clock: () => performance.now(),
  });

  constructor() {
    const shown = () => this.pace.resume();
    document.addEventListener('visibilitychange', shown);
    inject(DestroyRef).onDestroy(() => document.removeEventListener('visibilitychange', shown));
  }
}

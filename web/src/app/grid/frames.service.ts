import { ApplicationRef, inject, Injectable } from '@angular/core';
import { Frames } from './frames';

/** The frames of this page: all grids that changed are rendered in one go. */
@Injectable({ providedIn: 'root' })
export class FramesService {
  private readonly app = inject(ApplicationRef);
  /** Batches updates into animation frames. */
  readonly frames = new Frames(
    (callback) => requestAnimationFrame(callback),
    () => this.app.tick(),
    Date.now,
  );
}

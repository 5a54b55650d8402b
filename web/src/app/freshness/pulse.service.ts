import { Injectable } from '@angular/core';
import { Pulse } from './pulse';

/** The pulse of this page, fed by its grids and read by the status bar. */
@Injectable({ providedIn: 'root' })
export class PulseService {
  /** Newest row and latency. */
  readonly pulse = new Pulse();
}

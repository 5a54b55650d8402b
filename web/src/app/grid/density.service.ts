import { Injectable, signal } from '@angular/core';
import { readDensity, type Density } from './density';

/** Where the density is kept for this browser. */
const KEPT = 'tidegrid.density';

/** How close the rows of all grids stand, kept for this browser. */
@Injectable({ providedIn: 'root' })
export class DensityService {
  private readonly chosen = signal(readDensity(kept()));
  /** The density of all grids. */
  readonly density = this.chosen.asReadonly();

  /** Sets the density of all grids, now and when the page is opened again. */
  choose(density: Density): void {
    this.chosen.set(density);
    try {
      localStorage.setItem(KEPT, density);
    } catch {
      // A browser that keeps nothing has it until the page is closed.
    }
  }
}

function kept(): string | null {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

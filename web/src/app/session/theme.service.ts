import { Injectable, signal } from '@angular/core';

type Theme = 'dark' | 'light';

const STORED = 'tidegrid.theme';

/** Dark or light: as the system says until the viewer chooses. */
@Injectable({ providedIn: 'root' })
export class ThemeService {
  private readonly chosen = signal<Theme>(initial());
  /** The theme in use. */
  readonly theme = this.chosen.asReadonly();

  constructor() {
    const stored = readStored();
    if (stored) {
      document.documentElement.dataset['theme'] = stored;
    } else {
      const dark = matchMedia('(prefers-color-scheme: dark)');
      dark.addEventListener('change', () => {
        if (!readStored()) {
          this.chosen.set(initial());
        }
      });
    }
  }

  /** Changes to the other theme and remembers it. */
  toggle(): void {
    const next = this.theme() === 'dark' ? 'light' : 'dark';
    this.chosen.set(next);
    document.documentElement.dataset['theme'] = next;
    localStorage.setItem(STORED, next);
  }
}

function readStored(): Theme | null {
  const stored = localStorage.getItem(STORED);
  return stored === 'dark' || stored === 'light' ? stored : null;
}

function initial(): Theme {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  return readStored() ?? system;
}

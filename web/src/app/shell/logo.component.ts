import { ChangeDetectionStrategy, Component } from '@angular/core';
import { version } from '../../../package.json';

/** The Tidegrid mark and name: a tide over a grid. Pointed at, it says the version. */
@Component({
  selector: 'tg-logo',
  template: `
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#0d1b2a" />
      <path d="M11 5v22M21 5v22M5 11h22M5 21h22" stroke="#33506b" stroke-width="1.6" />
      <path
        d="M4 18c4-7 8-7 12-1s8 6 12-1v7.5a3.5 3.5 0 0 1-3.5 3.5h-17A3.5 3.5 0 0 1 4 23.5z"
        fill="#22b8a7"
        fill-opacity=".85"
      />
      <path
        d="M4 18c4-7 8-7 12-1s8 6 12-1"
        fill="none"
        stroke="#8df3e4"
        stroke-width="2"
        stroke-linecap="round"
      />
    </svg>
    <span>Tide<b>grid</b></span>
  `,
  styles: `
    :host {
      display: inline-flex;
      align-items: center;
      gap: 9px;
      font-size: 16px;
      font-weight: 600;
      letter-spacing: -0.01em;
    }

    svg {
      width: 24px;
      height: 24px;
    }

    b {
      color: var(--accent);
      font-weight: 600;
    }
  `,
  host: { '[title]': 'title' },
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class LogoComponent {
  /** What `tidegrid --version` says too. */
  protected readonly title = `Tidegrid ${version}`;
}

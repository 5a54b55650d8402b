import { ChangeDetectionStrategy, Component, input } from '@angular/core';

/** The state of a generation: its word, on its colour. */
@Component({
  selector: 'tg-state-badge',
  template: `{{ state() }}`,
  styles: `
    :host {
      display: inline-block;
      padding: 1px 8px;
      border-radius: 9px;
      background: var(--surface-2);
      color: var(--text-2);
      font-size: 11.5px;
      line-height: 17px;
      white-space: nowrap;
    }

    :host(.live) {
      background: var(--accent-soft);
      color: var(--accent);
      font-weight: 600;
    }

    :host(.building),
    :host(.caught-up) {
      background: var(--text-tint-2);
      color: var(--text);
    }

    :host(.lingering) {
      background: var(--warn-soft);
      color: var(--warn);
    }

    :host(.refused),
    :host(.failed) {
      background: var(--down-tint-2);
      color: var(--down);
    }
  `,
  host: { '[class]': 'state()' },
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class StateBadgeComponent {
  /** The state in the server's word. */
  readonly state = input.required<string>();
}

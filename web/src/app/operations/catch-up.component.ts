import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import { countText } from '../format/number-text';
import type { CatchUp } from '../freshness/catch-up';

/** A bar that shows how far a generation has come. */
@Component({
  selector: 'tg-catch-up',
  template: `
    <progress
      [value]="of().seen"
      [max]="of().total || 1"
      [attr.aria-label]="'Generation ' + of().generation + ' catching up'"
    ></progress>
    <span>{{ text() }}</span>
  `,
  styles: `
    :host {
      display: flex;
      align-items: center;
      gap: 10px;
      color: var(--text-2);
      font-size: 12px;
      white-space: nowrap;
    }

    progress {
      flex: 1;
      min-width: 60px;
      height: 6px;
      overflow: hidden;
      appearance: none;
      border: 0;
      border-radius: 3px;
      background: var(--line);
    }

    progress::-webkit-progress-bar {
      background: none;
    }

    progress::-webkit-progress-value {
      border-radius: 3px;
      background: var(--accent);
      transition: width 0.4s linear;
    }

    progress::-moz-progress-bar {
      border-radius: 3px;
      background: var(--accent);
    }

    @media (prefers-reduced-motion: reduce) {
      progress::-webkit-progress-value {
        transition: none;
      }
    }
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class CatchUpComponent {
  /** How far it has come. */
  readonly of = input.required<CatchUp>();
  protected readonly text = computed(() => {
    const { seen, total } = this.of();
    return `${countText(seen)} of ${countText(total)} records`;
  });
}

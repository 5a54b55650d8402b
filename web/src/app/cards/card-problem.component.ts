import { ChangeDetectionStrategy, Component, input } from '@angular/core';

/** The line below a card that says why what it shows is no longer followed. */
@Component({
  selector: 'tg-card-problem',
  template: `
    @if (text(); as text) {
      <p [title]="text">{{ text }}</p>
    }
  `,
  styles: `
    p {
      margin: 0;
      padding: 3px 12px;
      overflow: hidden;
      color: var(--warn);
      font-size: 11.5px;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
  `,
  host: { role: 'status', 'data-testid': 'card-problem' },
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class CardProblemComponent {
  /** The reason; empty if there is none. */
  readonly text = input.required<string>();
}

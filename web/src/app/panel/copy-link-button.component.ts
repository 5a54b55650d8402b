import { ChangeDetectionStrategy, Component, output } from '@angular/core';

/** The button of a card that copies a link to it as it looks now. */
@Component({
  selector: 'tg-copy-link-button',
  template: `
    <button
      type="button"
      class="button icon-button"
      data-testid="copy-link"
      aria-label="Copy a link to this card"
      title="Copy a link to this card"
      (click)="pressed.emit()"
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path
          d="M7 9.5 9.5 7M6.5 5 8 3.5a3 3 0 0 1 4.5 4.5L11 9.5M9.5 11 8 12.5A3 3 0 0 1 3.5 8L5 6.5"
        />
      </svg>
    </button>
  `,
  styles: `
    .button {
      border-color: transparent;
      background: none;
    }
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class CopyLinkButtonComponent {
  /** The viewer wants a link. */
  readonly pressed = output();
}

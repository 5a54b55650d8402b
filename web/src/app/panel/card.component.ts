import { ChangeDetectionStrategy, Component, inject, input } from '@angular/core';
import { PageLink } from '../session/page-link.service';

/** A frame with a title, like that of a live table. */
@Component({
  selector: 'tg-card',
  template: `
    <section [attr.aria-label]="title()">
      <header>
        <h2>{{ title() }}</h2>
        <ng-content select="[head]" />
        @if (name()) {
          <button
            type="button"
            class="button icon-button"
            data-testid="copy-link"
            aria-label="Copy a link to this card"
            title="Copy a link to this card"
            (click)="link?.copy(name())"
          >
            <svg viewBox="0 0 16 16" aria-hidden="true">
              <path
                d="M7 9.5 9.5 7M6.5 5 8 3.5a3 3 0 0 1 4.5 4.5L11 9.5M9.5 11 8 12.5A3 3 0 0 1 3.5 8L5 6.5"
              />
            </svg>
          </button>
        }
      </header>
      <ng-content />
    </section>
  `,
  styles: `
    :host {
      display: block;
      min-width: 0;
      min-height: 0;
    }

    section {
      display: grid;
      grid-template-rows: auto minmax(0, 1fr);
      height: 100%;
      overflow: clip;
      background: var(--surface);
      border: 1px solid var(--line);
      border-radius: var(--radius);
    }

    header {
      display: flex;
      align-items: center;
      gap: 12px;
      min-height: 38px;
      padding: 0 12px;
      border-bottom: 1px solid var(--line);
    }

    h2 {
      flex: 1 0 auto;
      max-width: 100%;
      margin: 0;
      overflow: hidden;
      font-size: 13.5px;
      font-weight: 600;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class CardComponent {
  /** What the viewer reads above it. */
  readonly title = input.required<string>();
  /** The name of the card in links; without one there is no button for them. */
  readonly name = input('');

  protected readonly link = inject(PageLink, { optional: true });
}

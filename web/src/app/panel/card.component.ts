import { ChangeDetectionStrategy, Component, inject, input } from '@angular/core';
import { CARD, type LinkChanges } from '../session/link-parts';
import { PageLink } from '../session/page-link.service';
import { CopyLinkButtonComponent } from './copy-link-button.component';

/** A frame with a title, like that of a live table. */
@Component({
  selector: 'tg-card',
  imports: [CopyLinkButtonComponent],
  template: `
    <section [attr.aria-label]="title()">
      <header>
        <h2>{{ title() }}</h2>
        <ng-content select="[head]" />
        @if (name()) {
          <tg-copy-link-button (pressed)="copyLink()" />
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
  /** What a link to the card says of it, beside what the address does. */
  readonly said = input<LinkChanges>({});

  private readonly link = inject(PageLink, { optional: true });

  /** Copies a link that leads to this card. */
  protected copyLink(): void {
    this.link?.copy({ ...this.said(), [CARD]: this.name() });
  }
}

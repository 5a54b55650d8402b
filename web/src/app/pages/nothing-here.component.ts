import { ChangeDetectionStrategy, Component, inject, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import { CatalogueService } from '../catalogue/catalogue.service';

/** What stands in place of a page that is not there: why, and where to go instead. */
@Component({
  selector: 'tg-nothing-here',
  imports: [RouterLink],
  template: `
    <p>{{ text() }}</p>
    @if (catalogue.known()) {
      <p>
        @for (page of catalogue.pages(); track page.flow) {
          <a [routerLink]="'/' + page.address">{{ page.title }}</a>
        }
        <a routerLink="/operations">Operations</a>
      </p>
    }
  `,
  styles: `
    :host {
      display: grid;
      align-content: center;
      justify-items: center;
      height: 100%;
      color: var(--text-2);
      text-align: center;
    }

    p {
      margin: 6px;
    }

    a {
      margin: 0 6px;
      color: var(--accent);
    }
  `,
  host: { role: 'status' },
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class NothingHereComponent {
  protected readonly catalogue = inject(CatalogueService);
  /** Why there is nothing. */
  readonly text = input.required<string>();
}

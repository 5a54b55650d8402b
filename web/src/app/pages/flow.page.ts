import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  inject,
  input,
  untracked,
} from '@angular/core';
import { Title } from '@angular/platform-browser';
import { Router, RouterLink } from '@angular/router';
import { CatalogueService } from '../catalogue/catalogue.service';
import { pageAt } from '../catalogue/flow-pages';
import { DeskComponent } from './desk.component';

/** The page of a flow at an address, as the flow declares it now. */
@Component({
  selector: 'tg-flow-page',
  imports: [DeskComponent, RouterLink],
  template: `
    <!-- As a list of one, so that another flow is another desk. -->
    @for (page of shown(); track page.flow) {
      <tg-desk [page]="page" [address]="address()" />
    } @empty {
      <div class="nothing" role="status" data-testid="no-page">
        <p>{{ text() }}</p>
        @if (catalogue.known()) {
          <p>
            @for (page of catalogue.pages(); track page.flow) {
              <a [routerLink]="'/' + page.address">{{ page.title }}</a>
            }
            <a routerLink="/operations">Operations</a>
          </p>
        }
      </div>
    }
  `,
  styles: `
    :host {
      display: block;
      height: 100%;
    }

    .nothing {
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
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class FlowPage {
  protected readonly catalogue = inject(CatalogueService);
  private readonly router = inject(Router);
  private readonly title = inject(Title);
  /** The addresses at which this viewer has seen a page. */
  private readonly seen = new Set<string>();

  /** Where the page is; the first one if it is empty, which the router says with nothing. */
  readonly address = input('', { transform: (address: string | undefined) => address ?? '' });

  private readonly page = computed(() => pageAt(this.catalogue.pages(), this.address()), {
    // Read again with every change of the catalogue, and mostly the same as before.
    equal: (a, b) => JSON.stringify(a) === JSON.stringify(b),
  });
  /** Nothing before the address is there: what the page says in it would be lost. */
  protected readonly shown = computed(() => {
    const page = this.page();
    return page && this.address() !== '' ? [page] : [];
  });
  /** What stands in place of a page. */
  protected readonly text = computed(() => {
    if (!this.catalogue.known() || this.page()) {
      return this.catalogue.problem() ?? 'Loading…';
    }
    if (this.seen.has(this.address())) {
      return 'This flow was removed.';
    }
    return this.catalogue.pages().length === 0
      ? 'No flow runs yet. Its page shows here when one does.'
      : 'There is no page at this address.';
  });

  constructor() {
    effect(() => {
      const first = this.catalogue.pages()[0];
      if (this.address() === '' && first) {
        untracked(() => void this.router.navigateByUrl(`/${first.address}`, { replaceUrl: true }));
      }
    });
    effect(() => {
      const page = this.page();
      if (page) {
        this.seen.add(this.address());
        this.title.setTitle(`${page.title} · Tidegrid`);
      }
    });
  }
}

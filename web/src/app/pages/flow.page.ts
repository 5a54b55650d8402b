import { Location } from '@angular/common';
import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  inject,
  input,
  linkedSignal,
  untracked,
} from '@angular/core';
import { Title } from '@angular/platform-browser';
import { Router } from '@angular/router';
import { CatalogueService } from '../catalogue/catalogue.service';
import type { FlowPage as FlowPageInfo } from '../catalogue/flow-pages';
import { DeskComponent } from './desk.component';
import { NothingHereComponent } from './nothing-here.component';
import { NOTHING_WATCHED, watchPage, type WatchedPage } from './watched-page';

/** Where a viewer is, and what pages there are. */
interface FoundAt {
  readonly address: string;
  readonly pages: readonly FlowPageInfo[];
}

/** The page of a flow at an address, as the flow declares it now. */
@Component({
  selector: 'tg-flow-page',
  imports: [DeskComponent, NothingHereComponent],
  template: `
    <!-- As a list of one, so that another flow is another desk. -->
    @for (page of shown(); track page.flow) {
      <tg-desk [page]="page" [address]="address()" />
    } @empty {
      <h1 class="visually-hidden">No page</h1>
      <tg-nothing-here data-testid="no-page" [text]="text()" />
    }
  `,
  styles: `
    :host {
      display: block;
      height: 100%;
    }
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class FlowPage {
  private readonly catalogue = inject(CatalogueService);
  private readonly router = inject(Router);
  private readonly location = inject(Location);
  private readonly title = inject(Title);

  /** Where the page is; the first one if it is empty, which the router says with nothing. */
  readonly address = input('', { transform: (address: string | undefined) => address ?? '' });

  private readonly watched = linkedSignal<FoundAt, WatchedPage>({
    source: () => ({ address: this.address(), pages: this.catalogue.pages() }),
    computation: ({ address, pages }, before) =>
      watchPage(before?.value ?? NOTHING_WATCHED, address, pages),
  });
  private readonly page = computed(
    () => this.catalogue.pages().find(({ flow }) => flow === this.watched().flow),
    {
      // Read again with every change of the catalogue, and mostly the same as before.
      equal: (a, b) => JSON.stringify(a) === JSON.stringify(b),
    },
  );
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
    if (this.watched().flow !== undefined) {
      return 'This flow was removed.';
    }
    return this.catalogue.pages().length === 0
      ? 'No flow runs yet. Its page shows here when one does.'
      : 'There is no page at this address.';
  });

  constructor() {
    effect(() => {
      const first = this.catalogue.pages()[0];
      // A viewer who has chosen a page meanwhile is on the way there.
      if (this.address() === '' && first && !this.router.currentNavigation()) {
        untracked(() => void this.router.navigateByUrl(`/${first.address}`, { replaceUrl: true }));
      }
    });
    effect(() => {
      const page = this.page();
      if (page) {
        this.title.setTitle(`${page.title} · Tidegrid`);
        // The name of its flow leads to a page too.
        const isOld = ![page.address, page.flow, ''].includes(this.address());
        if (isOld && !this.router.currentNavigation()) {
          untracked(() => this.follow(page.address));
        }
      }
    });
  }

  /** Goes to where the page is now, and takes along how it looks. */
  private follow(address: string): void {
    const { queryParams } = this.router.parseUrl(this.location.path());
    void this.router.navigate(['/', address], { queryParams, replaceUrl: true });
  }
}

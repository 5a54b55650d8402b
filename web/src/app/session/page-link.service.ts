import { Location } from '@angular/common';
import { DestroyRef, inject, Injectable, signal } from '@angular/core';
import {
  NavigationCancel,
  NavigationEnd,
  NavigationError,
  NavigationSkipped,
  Router,
} from '@angular/router';
import { copyLink } from './copy-text';
import { sameParts, withParts, type LinkChanges, type LinkParts } from './link-parts';

/** How a navigation ends. */
const ENDS = [NavigationEnd, NavigationCancel, NavigationError, NavigationSkipped];

/**
 * What the address says of a page's look. It is written without the router: a navigation for it
 * would end one that the viewer has just begun. A change replaces the entry of the history, unless
 * it is worth coming back from.
 */
@Injectable()
export class PageLink {
  private readonly router = inject(Router);
  private readonly location = inject(Location);
  private parts = this.read();
  private over = false;
  /** What is to be said once a navigation that is under way has ended on this page. */
  private pending: LinkChanges = {};
  /** The parts that came with the address: at first, by a link, or by going back and forward. */
  readonly given = signal(this.parts);
  /** Whether the address changed under the page, so that what it does not say is as at first. */
  readonly changed = signal(false);

  constructor() {
    const came = this.location.subscribe(() => this.follow());
    const events = this.router.events.subscribe((event) => {
      if (event instanceof NavigationEnd) {
        this.follow();
      }
      if (ENDS.some((end) => event instanceof end)) {
        // While the event is told, the navigation is still the current one.
        queueMicrotask(() => this.set({}));
      }
    });
    inject(DestroyRef).onDestroy(() => {
      this.over = true;
      came.unsubscribe();
      events.unsubscribe();
    });
  }

  /** Says something else in the address; `adds` makes it an entry of the history. */
  set(changes: LinkChanges, adds = false): void {
    this.pending = { ...this.pending, ...changes };
    // While another page is on its way, its address is not for this one to write.
    if (this.over || this.router.getCurrentNavigation()) {
      return;
    }
    const parts = withParts(this.parts, this.pending);
    this.pending = {};
    if (sameParts(parts, this.parts)) {
      return;
    }
    this.parts = parts;
    const url = this.urlWith({});
    if (adds) {
      this.location.go(url);
    } else {
      this.location.replaceState(url);
    }
  }

  /** Copies a link to the page as it is, but for some changes. */
  copy(changes: LinkChanges): void {
    void copyLink(this.urlWith({ ...this.pending, ...changes }));
  }

  private urlWith(changes: LinkChanges): string {
    const tree = this.router.parseUrl(this.location.path());
    tree.queryParams = withParts(this.parts, changes);
    return this.router.serializeUrl(tree);
  }

  /** Takes what the address says now, if it is not what was written here. */
  private follow(): void {
    const now = this.read();
    if (!sameParts(now, this.parts)) {
      this.parts = now;
      this.changed.set(true);
      this.given.set(now);
    }
  }

  private read(): LinkParts {
    const found: Record<string, unknown> = this.router.parseUrl(this.location.path()).queryParams;
    return Object.fromEntries(
      Object.entries(found).map(([name, value]) => [
        name,
        String(Array.isArray(value) ? value[0] : value),
      ]),
    );
  }
}

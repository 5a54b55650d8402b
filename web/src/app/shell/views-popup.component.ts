import { Location } from '@angular/common';
import { ChangeDetectionStrategy, Component, inject, input, output, signal } from '@angular/core';
import { Router } from '@angular/router';
import { PopupFrameComponent } from '../grid/popup-frame.component';
import { copyLink } from '../session/copy-text';
import { sameEverywhere } from '../session/link-parts';
import { keepViews, readViews, withoutView, withView, type SavedView } from './saved-views';

/** The looks that the viewer has named: to open one, to send it, to save this one, to take one away. */
@Component({
  selector: 'tg-views-popup',
  imports: [PopupFrameComponent],
  templateUrl: './views-popup.component.html',
  styleUrl: './views-popup.component.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ViewsPopupComponent {
  private readonly router = inject(Router);
  private readonly location = inject(Location);
  /** The element that it stands beside. */
  readonly origin = input.required<HTMLElement>();
  /** The viewer has left it. */
  readonly closed = output();
  // Read whenever it opens: another tab may have saved views meanwhile.
  protected readonly views = signal(readViews(localStorage));

  /** Goes to a view. */
  protected show({ url }: SavedView): void {
    this.closed.emit();
    // The router may think it is there already: it does not know what a page writes to its address.
    void this.router.navigateByUrl(sameEverywhere(url), { onSameUrlNavigation: 'reload' });
  }

  /** Copies a link to a view. */
  protected copy({ url }: SavedView): void {
    void copyLink(sameEverywhere(url));
  }

  /** Keeps the page as it looks now. */
  protected save(event: Event, name: string): void {
    event.preventDefault();
    this.keep(withView(this.views(), name, this.location.path()));
  }

  /** Takes a view away. */
  protected forget({ name }: SavedView): void {
    this.keep(withoutView(this.views(), name));
  }

  private keep(views: readonly SavedView[]): void {
    this.views.set(views);
    keepViews(localStorage, views);
  }
}

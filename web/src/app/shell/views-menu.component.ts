import { ChangeDetectionStrategy, Component, ElementRef, inject, signal } from '@angular/core';
import { Location } from '@angular/common';
import { Router } from '@angular/router';
import { keepViews, readViews, withoutView, withView, type SavedView } from './saved-views';

/** The looks that the viewer has named: to open one, to save this one, to take one away. */
@Component({
  selector: 'tg-views-menu',
  template: `
    <button
      type="button"
      class="button"
      data-testid="views-button"
      aria-haspopup="true"
      [attr.aria-expanded]="open()"
      (click)="toggle()"
    >
      Views
    </button>
    @if (open()) {
      <div class="menu" role="group" aria-label="Saved views" data-testid="views-menu">
        <ul>
          @for (view of views(); track view.name) {
            <li>
              <button
                type="button"
                class="name"
                data-testid="saved-view"
                [attr.data-name]="view.name"
                (click)="show(view)"
              >
                {{ view.name }}
              </button>
              <button
                type="button"
                class="button icon-button"
                data-testid="forget-view"
                [attr.aria-label]="'Forget ' + view.name"
                [title]="'Forget ' + view.name"
                (click)="forget(view)"
              >
                <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M4 4l8 8M12 4l-8 8" /></svg>
              </button>
            </li>
          } @empty {
            <li class="none">No views yet. Name this one to come back to it.</li>
          }
        </ul>
        <form (submit)="save($event, name.value); name.value = ''">
          <input
            #name
            type="text"
            maxlength="60"
            placeholder="Name of this view"
            aria-label="Name of this view"
            data-testid="view-name"
          />
          <button type="submit" class="button" data-testid="save-view">Save</button>
        </form>
      </div>
    }
  `,
  styles: `
    :host {
      position: relative;
    }

    .menu {
      position: absolute;
      z-index: 20;
      top: calc(100% + 6px);
      right: 0;
      width: 270px;
      padding: 8px;
      background: var(--surface);
      border: 1px solid var(--line);
      border-radius: var(--radius);
      box-shadow: 0 8px 28px rgb(0 0 0 / 30%);
    }

    ul {
      max-height: 320px;
      margin: 0 0 8px;
      padding: 0;
      overflow-y: auto;
      list-style: none;
    }

    li {
      display: flex;
      align-items: center;
    }

    .name {
      flex: 1;
      min-width: 0;
      padding: 6px;
      overflow: hidden;
      color: var(--text);
      font: inherit;
      text-align: left;
      text-overflow: ellipsis;
      white-space: nowrap;
      background: none;
      border: 0;
      border-radius: 4px;
      cursor: pointer;
    }

    .name:hover {
      background: var(--surface-2);
    }

    .none {
      padding: 6px;
      color: var(--text-2);
    }

    form {
      display: flex;
      gap: 6px;
    }

    input {
      flex: 1;
      min-width: 0;
    }
  `,
  host: {
    '(keydown.escape)': 'close()',
    '(document:pointerdown)': 'closeFrom($event)',
  },
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ViewsMenuComponent {
  private readonly router = inject(Router);
  private readonly location = inject(Location);
  private readonly element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  /** Whether the menu is there. */
  protected readonly open = signal(false);
  protected readonly views = signal(readViews(localStorage));

  /** Opens or closes the menu; another tab may have saved views meanwhile. */
  protected toggle(): void {
    this.views.set(readViews(localStorage));
    this.open.update((open) => !open);
  }

  /** Goes to a view. */
  protected show({ url }: SavedView): void {
    this.open.set(false);
    // The router may think it is there already: it does not know what a page writes to its address.
    void this.router.navigateByUrl(url, { onSameUrlNavigation: 'reload' });
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

  /** Closes the menu, and gives the focus back. */
  protected close(): void {
    if (this.open()) {
      this.open.set(false);
      this.element.querySelector('button')?.focus();
    }
  }

  /** Closes the menu if the viewer has turned elsewhere. */
  protected closeFrom({ target }: Event): void {
    if (this.open() && !this.element.contains(target as Node)) {
      this.open.set(false);
    }
  }

  private keep(views: readonly SavedView[]): void {
    this.views.set(views);
    keepViews(localStorage, views);
  }
}

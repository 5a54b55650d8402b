import {
  ChangeDetectionStrategy,
  Component,
  computed,
  type ElementRef,
  inputBinding,
  outputBinding,
  signal,
  viewChild,
} from '@angular/core';
import { LazyPartComponent, type LazyPart } from '../grid/lazy-part.component';

/** The button that opens the looks which the viewer has named; they are loaded when first asked for. */
@Component({
  selector: 'tg-views-menu',
  imports: [LazyPartComponent],
  template: `
    <button
      #button
      type="button"
      class="button"
      data-testid="views-button"
      aria-haspopup="dialog"
      [attr.aria-expanded]="open()"
      (click)="toggle()"
    >
      Views
    </button>
    <tg-lazy-part [part]="part()" (failed)="notLoaded()" />
    <span class="visually-hidden" role="status">{{ problem() }}</span>
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ViewsMenuComponent {
  private readonly button = viewChild.required<ElementRef<HTMLElement>>('button');
  /** Whether the views are there. */
  protected readonly open = signal(false);
  /** Why they are not. */
  protected readonly problem = signal('');
  protected readonly part = computed<LazyPart | null>(() =>
    this.open()
      ? {
          load: () => import('./views-popup.component').then((file) => file.ViewsPopupComponent),
          bindings: [
            inputBinding('origin', () => this.button().nativeElement),
            outputBinding('closed', () => this.open.set(false)),
          ],
        }
      : null,
  );

  /** Opens or closes the views. */
  protected toggle(): void {
    this.problem.set('');
    this.open.update((open) => !open);
  }

  /** Says that they cannot be loaded now. */
  protected notLoaded(): void {
    this.open.set(false);
    this.problem.set('The server does not answer. Try again when it is back.');
  }
}

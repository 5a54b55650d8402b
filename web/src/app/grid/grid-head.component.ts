import {
  ChangeDetectionStrategy,
  Component,
  ElementRef,
  inject,
  input,
  output,
  signal,
} from '@angular/core';
import { followPointer } from './follow-pointer';
import type { ColumnAction, GridPopup } from './grid-popup';
import type { ColumnView } from './grid-view';
import { headKey } from './head-keys';

/** How far a pointer must go before it moves a column instead of sorting by it, in pixels. */
const DRAG_START = 6;

/** The heads of a grid's columns: sort, move, resize, filter. */
@Component({
  selector: 'tg-grid-head',
  templateUrl: './grid-head.component.html',
  styleUrl: './grid-head.component.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class GridHeadComponent {
  private readonly element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  /** Whether the click that ends a drag is still to come. */
  private dragged = false;
  /** The columns in order. */
  readonly columns = input.required<readonly ColumnView[]>();
  /** How many of the first columns are frozen. */
  readonly frozen = input.required<number>();
  /** The viewer sorts by a column; with `add` beside the others. */
  readonly sort = output<{ name: string; add: boolean }>();
  /** The viewer does something to a column. */
  readonly act = output<{ name: string; action: ColumnAction }>();
  /** The viewer has dropped a column at another place. */
  readonly move = output<{ name: string; place: number }>();
  /** The viewer gives columns other widths. */
  readonly widths = output<{ column: string; width: number | null }[]>();
  /** The viewer types a filter. */
  readonly typed = output<{ name: string; text: string }>();
  /** The viewer opens the menu of a column. */
  readonly menu = output<GridPopup>();
  /** Where the column that is dragged would be dropped. */
  protected readonly drop = signal<number | null>(null);

  /** Sorts, unless the click ends a drag. */
  protected click(name: string, event: MouseEvent): void {
    if (!this.dragged) {
      this.sort.emit({ name, add: event.shiftKey });
    }
    this.dragged = false;
  }

  /** Moves or resizes the column by keys, or opens its menu. */
  protected press(name: string, event: KeyboardEvent): void {
    const action = headKey(event);
    if (action === 'menu') {
      this.openMenu(name, event);
    } else if (action) {
      this.act.emit({ name, action });
      event.preventDefault();
    }
  }

  /** Opens the menu of a column in place of the browser's. */
  protected openMenu(column: string, event: Event): void {
    const origin = (event.currentTarget as HTMLElement).closest<HTMLElement>('.title, .filter');
    if (origin) {
      this.menu.emit({ kind: 'column', origin, column });
      event.preventDefault();
    }
  }

  /** Moves a column with the pointer. */
  protected drag(name: string, event: PointerEvent): void {
    this.dragged = false;
    if (event.button !== 0 || event.pointerType === 'touch') {
      return; // A finger scrolls.
    }
    const centres = this.titles().map(({ left, right }) => (left + right) / 2);
    const from = this.columns().findIndex((column) => column.name === name);
    followPointer(event, {
      move: (by, { clientX }) => {
        if (this.dragged || Math.abs(by) > DRAG_START) {
          this.dragged = true;
          this.drop.set(centres.filter((centre) => centre < clientX).length);
        }
      },
      release: () => {
        const place = this.drop();
        if (place !== null) {
          this.move.emit({ name, place: place > from ? place - 1 : place });
        }
      },
      end: () => this.drop.set(null),
    });
  }

  /** Resizes a column with the pointer; those left of it keep the width they have. */
  protected resize(place: number, event: PointerEvent): void {
    event.preventDefault();
    const rects = this.titles().slice(0, place + 1);
    const shown = this.columns().slice(0, place + 1);
    followPointer(event, {
      move: (by) =>
        this.widths.emit(
          shown.map(({ name: column }, at) => ({
            column,
            width: (rects[at]?.width ?? 0) + (at === place ? by : 0),
          })),
        ),
    });
  }

  private titles(): DOMRect[] {
    const titles = this.element.querySelectorAll<HTMLElement>('.title');
    return [...titles].map((title) => title.getBoundingClientRect());
  }
}

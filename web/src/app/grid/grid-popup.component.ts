import { ChangeDetectionStrategy, Component, computed, input, output } from '@angular/core';
import { ColumnActionsComponent } from './column-actions.component';
import { ColumnListComponent, type ColumnChoice } from './column-list.component';
import { ExportMenuComponent } from './export-menu.component';
import type { SaveChoice } from './file-types';
import { FilterFormComponent } from './filter-form.component';
import type { ColumnAction, GridPopup } from './grid-popup';
import type { ColumnView } from './grid-view';
import { PopupFrameComponent } from './popup-frame.component';
import type { QuickFilter } from './quick-filter';

/** What opens over a grid: the menu of a column, the list of columns, what can be saved. */
@Component({
  selector: 'tg-grid-popup',
  imports: [
    ColumnActionsComponent,
    ColumnListComponent,
    ExportMenuComponent,
    FilterFormComponent,
    PopupFrameComponent,
  ],
  template: `
    @switch (popup().kind) {
      @case ('columns') {
        <tg-popup-frame
          label="Columns and rows"
          testid="columns-menu"
          [origin]="popup().origin"
          (closed)="closed.emit()"
        >
          <tg-column-list
            [choices]="choices()"
            (hide)="hide.emit($event)"
            (restore)="restore.emit()"
          />
        </tg-popup-frame>
      }
      @case ('export') {
        <tg-popup-frame
          label="Save"
          testid="csv-menu"
          [origin]="popup().origin"
          (closed)="closed.emit()"
        >
          <tg-export-menu [total]="total()" (chosen)="save.emit($event)" />
        </tg-popup-frame>
      }
      @case ('column') {
        @if (column(); as shown) {
          <tg-popup-frame
            testid="head-menu"
            [label]="'Column ' + shown.label"
            [origin]="popup().origin"
            (closed)="closed.emit()"
          >
            <div class="halves">
              <tg-column-actions
                [column]="shown"
                (act)="act.emit({ name: shown.name, action: $event })"
              />
              <tg-filter-form
                [table]="table()"
                [column]="shown"
                (filter)="filter.emit({ name: shown.name, quick: $event })"
              />
            </div>
          </tg-popup-frame>
        }
      }
    }
  `,
  styles: `
    /* Side by side it is low enough for a small window, and does not grow with the list of values. */
    .halves {
      display: grid;
      grid-template-columns: auto minmax(200px, 1fr);
    }

    @media (max-width: 520px) {
      .halves {
        grid-template-columns: auto;
      }
    }
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class GridPopupComponent {
  /** What is open. */
  readonly popup = input.required<GridPopup>();
  /** The table. */
  readonly table = input.required<string>();
  /** The visible columns. */
  readonly columns = input.required<readonly ColumnView[]>();
  /** All columns and whether they are visible. */
  readonly choices = input.required<readonly ColumnChoice[]>();
  /** Rows in the whole table, after the filters. */
  readonly total = input.required<number>();
  /** The viewer has left it. */
  readonly closed = output();
  /** The viewer hides or shows a column. */
  readonly hide = output<{ name: string; hidden: boolean }>();
  /** The viewer wants the columns as they were at first. */
  readonly restore = output();
  /** The viewer wants a file. */
  readonly save = output<SaveChoice>();
  /** The viewer does something to a column. */
  readonly act = output<{ name: string; action: ColumnAction }>();
  /** The viewer filters by a column, or no longer. */
  readonly filter = output<{ name: string; quick: QuickFilter | null }>();
  /** The column whose menu is open. */
  protected readonly column = computed(() => {
    const popup = this.popup();
    return popup.kind === 'column'
      ? this.columns().find(({ name }) => name === popup.column)
      : undefined;
  });
}

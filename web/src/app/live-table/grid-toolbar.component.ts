import { ChangeDetectionStrategy, Component, input, output } from '@angular/core';
import { ColumnMenuComponent, type ColumnChoice } from './column-menu.component';
import type { GridView } from './grid-view';

type Page = 'first' | 'prev' | 'next' | 'last';

/** The bar above a grid: its title, which rows are shown, pages, columns and CSV. */
@Component({
  selector: 'tg-grid-toolbar',
  imports: [ColumnMenuComponent],
  templateUrl: './grid-toolbar.component.html',
  styleUrl: './grid-toolbar.component.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class GridToolbarComponent {
  /** What the grid shows. */
  readonly view = input.required<GridView>();
  /** All columns and whether they are visible. */
  readonly choices = input.required<readonly ColumnChoice[]>();
  /** The viewer wants another page. */
  readonly page = output<Page>();
  /** The viewer wants the visible rows as a file. */
  readonly csv = output();
  /** The viewer hides or shows a column. */
  readonly hide = output<{ name: string; hidden: boolean }>();

  protected readonly pages: readonly { page: Page; label: string; path: string; back: boolean }[] =
    [
      { page: 'first', label: 'First page', path: 'M4 3v10M12 3 7 8l5 5', back: true },
      { page: 'prev', label: 'Previous page', path: 'M10 3 5 8l5 5', back: true },
      { page: 'next', label: 'Next page', path: 'm6 3 5 5-5 5', back: false },
      { page: 'last', label: 'Last page', path: 'M12 3v10M4 3l5 5-5 5', back: false },
    ];

  /** A number of rows with separators. */
  protected count(rows: number): string {
    return rows.toLocaleString('en-US');
  }
}

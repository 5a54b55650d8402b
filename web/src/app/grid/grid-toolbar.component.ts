import { ChangeDetectionStrategy, Component, input, output } from '@angular/core';
import { countText } from '../format/number-text';
import type { GridPopup } from './grid-popup';
import type { GridView } from './grid-view';

type Page = 'first' | 'prev' | 'next' | 'last';

/** The bar above a grid: its title, which rows are shown, pages, pause, details, columns, files. */
@Component({
  selector: 'tg-grid-toolbar',
  templateUrl: './grid-toolbar.component.html',
  styleUrl: './grid-toolbar.component.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class GridToolbarComponent {
  /** What the grid shows. */
  readonly view = input.required<GridView>();
  /** Whether rows can be saved as files. */
  readonly exports = input(true);
  /** Which popup is open. */
  readonly open = input<GridPopup['kind'] | null>(null);
  /** Whether the details of a row are open. */
  readonly detailed = input(false);
  /** The viewer wants another page. */
  readonly page = output<Page>();
  /** The viewer wants the rows to stay, or to run again. */
  readonly hold = output();
  /** The viewer wants the details of the row under the cursor, or no longer. */
  readonly details = output();
  /** The viewer opens the list of columns or what can be saved. */
  readonly popup = output<GridPopup>();

  protected readonly pages: readonly { page: Page; label: string; path: string; back: boolean }[] =
    [
      { page: 'first', label: 'First page', path: 'M4 3v10M12 3 7 8l5 5', back: true },
      { page: 'prev', label: 'Previous page', path: 'M10 3 5 8l5 5', back: true },
      { page: 'next', label: 'Next page', path: 'm6 3 5 5-5 5', back: false },
      { page: 'last', label: 'Last page', path: 'M12 3v10M4 3l5 5-5 5', back: false },
    ];

  /** A number of rows with separators. */
  protected readonly count = countText;
}

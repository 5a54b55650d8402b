import { CdkMenu, CdkMenuItem } from '@angular/cdk/menu';
import { ChangeDetectionStrategy, Component, computed, input, output } from '@angular/core';
import { countText } from '../format/number-text';
import type { SaveChoice } from './file-types';
import { EXPORT_LIMIT } from './table-export';

/** What can be saved, and as what. */
@Component({
  selector: 'tg-export-menu',
  imports: [CdkMenu, CdkMenuItem],
  template: `
    <div cdkMenu aria-label="Save">
      <button
        type="button"
        class="item"
        cdkMenuItem
        data-testid="csv-visible"
        (cdkMenuItemTriggered)="chosen.emit({ rows: 'visible' })"
      >
        Rows on screen as CSV
      </button>
      <button
        type="button"
        class="item"
        cdkMenuItem
        data-testid="csv-all"
        (cdkMenuItemTriggered)="chosen.emit({ rows: 'all', as: 'csv' })"
      >
        {{ all() }} as CSV
      </button>
      <button
        type="button"
        class="item"
        cdkMenuItem
        data-testid="parquet-all"
        (cdkMenuItemTriggered)="chosen.emit({ rows: 'all', as: 'parquet' })"
      >
        {{ all() }} as Parquet
      </button>
    </div>
    <div class="caption">Visible columns, in the order shown. {{ limit }} rows at most.</div>
  `,
  styleUrl: './menu-items.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ExportMenuComponent {
  /** Rows in the whole table, after the filters. */
  readonly total = input.required<number>();
  /** The viewer wants a file. */
  readonly chosen = output<SaveChoice>();
  protected readonly limit = countText(EXPORT_LIMIT);
  protected readonly all = computed(() => {
    const total = this.total();
    return total > EXPORT_LIMIT
      ? `The first ${this.limit} of ${countText(total)} rows`
      : `All ${countText(total)} rows`;
  });
}

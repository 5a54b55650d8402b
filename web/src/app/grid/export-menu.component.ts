import { CdkMenu, CdkMenuItem } from '@angular/cdk/menu';
import { ChangeDetectionStrategy, Component, computed, input, output } from '@angular/core';
import { EXPORT_LIMIT } from './table-export';

/** What can be saved as CSV. */
@Component({
  selector: 'tg-export-menu',
  imports: [CdkMenu, CdkMenuItem],
  template: `
    <div cdkMenu aria-label="Save as CSV">
      <button
        type="button"
        class="item"
        cdkMenuItem
        data-testid="csv-visible"
        (cdkMenuItemTriggered)="chosen.emit('visible')"
      >
        Rows on screen
      </button>
      <button
        type="button"
        class="item"
        cdkMenuItem
        data-testid="csv-all"
        (cdkMenuItemTriggered)="chosen.emit('all')"
      >
        {{ all() }}
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
  /** The viewer wants the rows on screen, or all of them. */
  readonly chosen = output<'visible' | 'all'>();
  protected readonly limit = EXPORT_LIMIT.toLocaleString('en-US');
  protected readonly all = computed(() => {
    const total = this.total();
    return total > EXPORT_LIMIT
      ? `The first ${this.limit} of ${total.toLocaleString('en-US')} rows`
      : `All ${total.toLocaleString('en-US')} rows`;
  });
}

import { ChangeDetectionStrategy, Component, computed, inject, input } from '@angular/core';
import type { BarsCard } from '../catalogue/cards';
import { noteOf } from '../live-rows/live-rows';
import { CardComponent } from '../panel/card.component';
import { barColumns, barsOf } from './bars';
import { barsDrawing } from './bars-chart';
import { ChartComponent } from './chart/chart.component';
import { cardQuery, sortBy, summedFilters } from './page-query';
import { PageScope } from './page-scope.service';

/** Bars by category: the highest and, if there are more than there is room for, the lowest. */
@Component({
  selector: 'tg-bars-card',
  imports: [CardComponent, ChartComponent],
  template: `
    <tg-card [title]="card().title" [name]="card().name">
      <tg-chart
        [class.stale]="stale()"
        [attr.data-testid]="'chart-' + card().name"
        [drawing]="drawing()"
        [note]="note()"
        [turn]="highest().generation"
      />
    </tg-card>
  `,
  styleUrl: './chart-card.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class BarsCardComponent {
  private readonly scope = inject(PageScope);

  /** What to show. */
  readonly card = input.required<BarsCard>();

  private readonly table = computed(() => this.card().tables[0] ?? '');
  private readonly info = computed(() => this.scope.info(this.table()));
  protected readonly highest = this.scope.rows(() => this.query('desc', 2 * this.card().rows));
  private readonly isCut = computed(() => this.highest().total > 2 * this.card().rows);
  private readonly lowest = this.scope.rows(() =>
    this.isCut() ? this.query('asc', this.card().rows) : null,
  );
  protected readonly drawing = computed(() => {
    const [high, low] = [this.highest(), this.lowest()];
    const rows = this.isCut() ? [...high.rows.slice(0, this.card().rows), ...low.rows] : high.rows;
    return barsDrawing(this.card().title, barsOf(this.card(), this.info(), rows), high.total);
  });
  protected readonly note = computed(() =>
    noteOf(this.highest(), this.card().empty || 'No rows yet.'),
  );
  protected readonly stale = computed(() => this.highest().state.kind === 'failed');

  private query(direction: 'asc' | 'desc', count: number) {
    const filters = summedFilters(this.info(), this.scope.choice());
    const sort = sortBy(this.card().x, direction);
    return cardQuery(this.table(), this.info(), count, {
      sort,
      filters,
      columns: barColumns(this.card()),
    });
  }
}

import { ChangeDetectionStrategy, Component, computed, inject, input } from '@angular/core';
import type { BarsCard } from '../catalogue/cards';
import { noteOf } from '../live-rows/live-rows';
import { CardComponent } from '../panel/card.component';
import { barsOf, barsQuery } from './bars';
import { barsDrawing } from './bars-chart';
import { CardProblemComponent } from './card-problem.component';
import { problemOf } from './card-problem';
import { ChartComponent } from './chart/chart.component';
import { PageScope } from './page-scope.service';

/** Bars by category: the highest and, if there are more than there is room for, the lowest. */
@Component({
  selector: 'tg-bars-card',
  imports: [CardComponent, CardProblemComponent, ChartComponent],
  template: `
    <tg-card [title]="card().title" [name]="card().name">
      <tg-chart
        [class.stale]="problem() !== ''"
        [attr.data-testid]="'chart-' + card().name"
        [drawing]="drawing()"
        [note]="note()"
        [turn]="highest().generation"
      />
      <tg-card-problem [text]="problem()" />
    </tg-card>
  `,
  styleUrls: ['./chart-card.css', './fade.css'],
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class BarsCardComponent {
  private readonly scope = inject(PageScope);

  /** What to show. */
  readonly card = input.required<BarsCard>();

  private readonly info = computed(() => this.scope.info(this.card().tables[0] ?? ''));
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
  /** Why what is drawn is no longer followed; what stands in place of bars says it too. */
  protected readonly problem = computed(() =>
    this.note() === null ? problemOf(this.highest(), this.lowest()) : '',
  );

  private query(direction: 'asc' | 'desc', count: number) {
    return barsQuery(this.card(), this.info(), this.scope.choice(), direction, count);
  }
}

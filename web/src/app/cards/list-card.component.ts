import { ChangeDetectionStrategy, Component, computed, inject, input } from '@angular/core';
import type { ListCard } from '../catalogue/cards';
import { lookOf } from '../catalogue/tables';
import { noteOf } from '../live-rows/live-rows';
import { CardComponent } from '../panel/card.component';
import { problemOf } from './card-problem';
import { CardProblemComponent } from './card-problem.component';
import { listColumns, listQuery, listRows, listTable, type Side } from './list';
import { PageScope } from './page-scope.service';
import { standsRight } from './value-text';

/** The first rows of a table, or the highest and the lowest side by side. */
@Component({
  selector: 'tg-list-card',
  imports: [CardComponent, CardProblemComponent],
  template: `
    <tg-card [title]="card().title" [name]="card().name">
      <div class="lists">
        @for (list of lists(); track list.side) {
          <div class="list" tabindex="0" role="group" [attr.aria-label]="list.title">
            @if (list.note; as text) {
              <p role="status">{{ text }}</p>
            } @else {
              <table [class.stale]="list.stale" [attr.data-side]="list.side">
                <caption class="visually-hidden">
                  {{
                    list.title
                  }}
                </caption>
                <thead>
                  <tr>
                    @for (head of list.heads; track $index) {
                      <th scope="col" [class.right]="head.right">{{ head.label }}</th>
                    }
                  </tr>
                </thead>
                <tbody>
                  @for (row of list.rows; track row.key) {
                    <tr data-testid="list-row">
                      @for (cell of row.cells; track $index) {
                        <td
                          [class.right]="cell.right"
                          [attr.data-tone]="cell.tone"
                          [title]="cell.title"
                        >
                          {{ cell.text }}
                        </td>
                      }
                    </tr>
                  }
                </tbody>
              </table>
            }
          </div>
        }
      </div>
      <tg-card-problem [text]="problem()" />
    </tg-card>
  `,
  styleUrls: ['./list-card.component.css', './fade.css'],
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ListCardComponent {
  private readonly scope = inject(PageScope);

  /** What to show. */
  readonly card = input.required<ListCard>();

  private readonly info = computed(() =>
    this.scope.info(listTable(this.card(), this.scope.choice())),
  );
  private readonly columns = computed(() => listColumns(this.card(), this.info()));
  private readonly high = this.scope.rows(() => this.query('up'));
  private readonly low = this.scope.rows(() => (this.card().both ? this.query('down') : null));
  protected readonly lists = computed(() =>
    this.card().both ? [this.list('up', '▲ Up'), this.list('down', '▼ Down')] : [this.list('up')],
  );
  /** Why rows that are shown are no longer followed; a side without rows says it in their place. */
  protected readonly problem = computed(() =>
    problemOf(...[this.high(), this.low()].filter(({ rows }) => rows.length > 0)),
  );

  private query(side: Side) {
    return listQuery(this.card(), side, this.info(), this.scope.choice());
  }

  /** One side as it is drawn; of two, each says at its first column which it is. */
  private list(side: Side, name = '') {
    const rows = side === 'up' ? this.high() : this.low();
    const note = noteOf(rows, this.card().empty || 'No rows yet.');
    const heads = this.columns().map((column, n) => {
      const look = lookOf(this.info(), column);
      return { label: n === 0 && name ? name : look.label, right: standsRight(look) };
    });
    return {
      side: this.card().both ? side : null,
      title: name ? `${this.card().title} ${name}` : this.card().title,
      heads,
      rows: listRows(this.columns(), this.info(), rows.rows),
      note: note && name ? `${name}: ${note}` : note,
      stale: rows.state.kind !== 'live',
    };
  }
}

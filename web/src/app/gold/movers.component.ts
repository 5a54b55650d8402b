import { ChangeDetectionStrategy, Component, computed, inject } from '@angular/core';
import { EMPTY } from '../live-table/format';
import { percentText, priceText } from '../live-table/number-text';
import { noteOf, type LiveRows } from '../live-rows/live-rows';
import { CardComponent } from '../panel/card.component';
import { GoldData } from './gold-data.service';
import type { Mover } from './gold-records';

/** The symbols that rose and fell most in the last five minutes, side by side. */
@Component({
  selector: 'tg-movers',
  imports: [CardComponent],
  template: `
    <tg-card title="Top movers, 5 min">
      <div class="lists">
        @for (list of lists(); track list.direction) {
          <div class="list" tabindex="0" role="region" [attr.aria-label]="list.title">
            @if (list.note; as text) {
              <p role="status">{{ text }}</p>
            } @else {
              <table [class.stale]="list.stale" [attr.data-direction]="list.direction">
                <caption class="visually-hidden">
                  {{
                    list.title
                  }}
                </caption>
                <thead>
                  <tr>
                    <th scope="col">{{ list.title }}</th>
                    <th scope="col" class="right">Last</th>
                    <th scope="col" class="right">Change</th>
                  </tr>
                </thead>
                <tbody>
                  @for (row of list.rows; track row.symbol) {
                    <tr data-testid="mover" [attr.data-symbol]="row.symbol">
                      <th scope="row" [title]="row.symbol">{{ row.symbol }}</th>
                      <td class="right">{{ price(row.last) }}</td>
                      <td class="right change" [title]="row.trades + ' trades'">
                        {{ percent(row.change) }}
                      </td>
                    </tr>
                  }
                </tbody>
              </table>
            }
          </div>
        }
      </div>
    </tg-card>
  `,
  styleUrl: './list.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class MoversComponent {
  private readonly data = inject(GoldData);
  protected readonly percent = percentText;
  protected readonly lists = computed(() => [
    listOf('up', '▲ Up', this.data.risers(), 'No symbol rose in the last 5 minutes.'),
    listOf('down', '▼ Down', this.data.fallers(), 'No symbol fell in the last 5 minutes.'),
  ]);

  /** A price, or that there is none. */
  protected price(value: number | null): string {
    return value === null ? EMPTY : priceText(value);
  }
}

function listOf(direction: 'up' | 'down', title: string, rows: LiveRows<Mover>, empty: string) {
  const stale = rows.state.kind !== 'live';
  return { direction, title, rows: rows.rows, note: noteOf(rows, empty), stale };
}

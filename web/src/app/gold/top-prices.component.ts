import { ChangeDetectionStrategy, Component, computed, inject } from '@angular/core';
import { EMPTY } from '../live-table/format';
import { priceText } from '../live-table/number-text';
import { noteOf } from '../live-rows/live-rows';
import { CardComponent } from '../panel/card.component';
import { GoldData } from './gold-data.service';

/** The symbols with the highest prices. */
@Component({
  selector: 'tg-top-prices',
  imports: [CardComponent],
  template: `
    <tg-card title="Top by price">
      <div class="list" tabindex="0" role="region" aria-label="Highest prices">
        @if (note(); as text) {
          <p role="status">{{ text }}</p>
        } @else {
          <table [class.stale]="stale()">
            <caption class="visually-hidden">
              Highest prices
            </caption>
            <thead>
              <tr>
                <th scope="col">Symbol</th>
                <th scope="col">Sector</th>
                <th scope="col">Exchange</th>
                <th scope="col" class="right">Price</th>
              </tr>
            </thead>
            <tbody>
              @for (row of rows(); track row.symbol) {
                <tr data-testid="top-price" [attr.data-symbol]="row.symbol">
                  <th scope="row" [title]="row.symbol">{{ row.symbol }}</th>
                  <td [title]="row.sector">{{ row.sector || empty }}</td>
                  <td [title]="row.exchange">{{ row.exchange || empty }}</td>
                  <td class="right">{{ price(row.price) }}</td>
                </tr>
              }
            </tbody>
          </table>
        }
      </div>
    </tg-card>
  `,
  styleUrl: './list.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class TopPricesComponent {
  private readonly data = inject(GoldData);
  protected readonly empty = EMPTY;
  protected readonly rows = computed(() => this.data.topPrices().rows);
  protected readonly stale = computed(() => this.data.topPrices().state.kind !== 'live');
  protected readonly note = computed(() => noteOf(this.data.topPrices(), 'No positions yet.'));

  /** A price, or that there is none. */
  protected price(value: number | null): string {
    return value === null ? EMPTY : priceText(value);
  }
}

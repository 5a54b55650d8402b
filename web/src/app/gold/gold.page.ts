import { ChangeDetectionStrategy, Component, computed, inject } from '@angular/core';
import { ChartPaceService } from '../charts/chart-pace.service';
import { ChartComponent } from '../charts/chart.component';
import { noteOf } from '../live-rows/live-rows';
import { CardComponent } from '../panel/card.component';
import { latestOrEvents } from '../panel/panel-form';
import { PanelComponent } from '../panel/panel.component';
import { GOLD_TABLES } from '../screens/gold-tables';
import { GoldData } from './gold-data.service';
import { kpiForms, sourceFilters } from './gold-queries';
import { MoversComponent } from './movers.component';
import { pnlDrawing } from './pnl-chart';
import { ALL_SOURCES } from './source-choice';
import { SymbolPickerComponent } from './symbol-picker.component';
import { TilesComponent } from './tiles.component';
import { TopPricesComponent } from './top-prices.component';

/** The positions flow: figures, newest prices, KPIs, movers, profit and loss, and price lines. */
@Component({
  selector: 'tg-gold-page',
  imports: [
    CardComponent,
    ChartComponent,
    MoversComponent,
    PanelComponent,
    SymbolPickerComponent,
    TilesComponent,
    TopPricesComponent,
  ],
  templateUrl: './gold.page.html',
  styleUrl: './gold.page.css',
  providers: [ChartPaceService, GoldData],
  host: { 'data-testid': 'gold-page', '[class.stale]': '!data.connected()' },
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class GoldPage {
  protected readonly data = inject(GoldData);
  protected readonly latest = latestOrEvents(GOLD_TABLES.gold_latest, GOLD_TABLES.gold_stream_raw);
  protected readonly kpis = computed(() => kpiForms(this.data.source()));
  protected readonly filters = computed(() => sourceFilters(this.data.source()));
  protected readonly bars = [
    {
      name: 'instrument',
      title: 'P&L by instrument',
      drawing: computed(() => pnlDrawing('P&L by instrument', this.data.byInstrument().rows)),
      note: computed(() => noteOf(this.data.byInstrument(), 'No positions yet.')),
    },
    {
      name: 'allotment',
      title: 'P&L by allotment',
      drawing: computed(() => pnlDrawing('P&L by allotment', this.data.byAllotment().rows)),
      note: computed(() => noteOf(this.data.byAllotment(), 'No positions yet.')),
    },
  ];

  /** How a source system stands in the list. */
  protected sourceText(source: string): string {
    if (source === ALL_SOURCES) {
      return 'All systems';
    }
    return this.data.gone() && source === this.data.source() ? `${source} (no rows)` : source;
  }
}

import { ChangeDetectionStrategy, Component, computed, inject, type Signal } from '@angular/core';
import { ChartPaceService } from '../charts/chart-pace.service';
import { ChartComponent } from '../charts/chart.component';
import { noteOf, type LiveRows } from '../live-rows/live-rows';
import { CardComponent } from '../panel/card.component';
import { latestOrEvents } from '../panel/panel-form';
import { PanelComponent } from '../panel/panel.component';
import { GOLD_TABLES } from '../screens/gold-tables';
import { GoldData } from './gold-data.service';
import { KPI_FORMS, ofSource, sourceFilters } from './gold-queries';
import type { PnlGroup } from './gold-records';
import { MoversComponent } from './movers.component';
import { pnlDrawing } from './pnl-chart';
import { ALL_SOURCES } from './source-choice';
import { SymbolPickerComponent } from './symbol-picker.component';
import { TilesComponent } from './tiles.component';
import { TopPricesComponent } from './top-prices.component';

/** What a chart of profit and loss shows. */
function bars(name: 'instrument' | 'allotment', groups: Signal<LiveRows<PnlGroup>>) {
  const title = `P&L by ${name}`;
  return {
    name,
    title,
    drawing: computed(() => pnlDrawing(title, groups().rows)),
    note: computed(() => noteOf(groups(), `No position with a P&L and an ${name}.`)),
    failed: computed(() => groups().state.kind === 'failed'),
  };
}

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
  protected readonly kpis = KPI_FORMS;
  protected readonly filters = computed(() => sourceFilters(this.data.source()));
  protected readonly kpiFilters = computed(() => ofSource(this.data.source()));
  protected readonly bars = [
    bars('instrument', this.data.byInstrument),
    bars('allotment', this.data.byAllotment),
  ];

  /** How a source system stands in the list. */
  protected sourceText(source: string): string {
    if (source === ALL_SOURCES) {
      return 'All systems';
    }
    return this.data.gone() && source === this.data.source() ? `${source} (no rows)` : source;
  }
}

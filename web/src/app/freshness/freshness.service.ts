import { computed, DestroyRef, effect, inject, Injectable, signal, untracked } from '@angular/core';
import { CatalogueService } from '../catalogue/catalogue.service';
import type { FlowInfo } from '../catalogue/flows';
import { NO_ROWS, watchRows, type LiveRows } from '../live-rows/live-rows';
import { HubService } from '../session/hub.service';
import { readCatchUp, type CatchUp } from './catch-up';
import { partsOf, readFigure, total, type Figure } from './figures';
import { ageOf, FRESH, type FlowAge } from './flow-age';
import { FlowNews } from './flow-news';
import { PulseService } from './pulse.service';

/** How often ages are worked out again, in milliseconds. */
const READ_EVERY = 1_000;

/** How current each flow is, and why it is not: from what the parts report and have reported. */
@Injectable({ providedIn: 'root' })
export class FreshnessService {
  private readonly hub = inject(HubService);
  private readonly catalogue = inject(CatalogueService);
  private readonly pulse = inject(PulseService).pulse;
  private readonly now = signal(Date.now());
  private readonly figures = signal<LiveRows<Figure>>(NO_ROWS);
  private readonly progress = signal<LiveRows<CatchUp>>(NO_ROWS);
  private readonly news = new Map<string, FlowNews>();
  private readonly connected = computed(() => this.hub.connection().kind === 'connected');
  /** How current each flow is, by its name; empty without a connection, which is said elsewhere. */
  readonly ages = computed<ReadonlyMap<string, FlowAge>>(() => {
    const now = this.now();
    const known = this.connected() && this.figures().known;
    const flows = known ? this.catalogue.flows() : [];
    return new Map(flows.map((flow) => [flow.flow, this.ageOf(flow, now)]));
  });

  constructor() {
    const hub = this.hub.tables;
    const all = (table: string) => ({ table, sort: [], filters: [] });
    const stops = [
      watchRows(hub, all('health'), 2_000, readFigure, (rows) => this.figures.set(rows)),
      watchRows(hub, all('progress'), 20, readCatchUp, (rows) => this.progress.set(rows)),
    ];
    const timer = setInterval(() => this.now.set(Date.now()), READ_EVERY);
    inject(DestroyRef).onDestroy(() => {
      clearInterval(timer);
      stops.forEach((stop) => stop());
    });
    effect(() => {
      const figures = this.figures().rows;
      const flows = this.catalogue.flows();
      untracked(() => flows.forEach((flow) => this.take(flow, figures)));
    });
    effect(() => {
      if (this.connected()) {
        this.news.forEach((news) => news.resume(Date.now()));
      }
    });
    effect(() => {
      const now = Date.now();
      this.ages().forEach(({ kind }, flow) => this.pulse.behind(flow, kind === 'behind', now));
    });
  }

  /** How current a flow is. */
  of(flow: string): FlowAge {
    return this.ages().get(flow) ?? FRESH;
  }

  /** Takes how many records of a flow have come. */
  private take(flow: FlowInfo, figures: readonly Figure[]): void {
    const count = total(figuresOf(figures, flow, 'events'));
    const news = this.news.get(flow.flow) ?? new FlowNews(Date.now());
    this.news.set(flow.flow, news);
    if (count !== null) {
      news.take(count, Date.now());
    }
  }

  private ageOf(flow: FlowInfo, now: number): FlowAge {
    const figures = this.figures().rows;
    const news = this.news.get(flow.flow);
    const isOurs = (one: CatchUp) =>
      one.flow === flow.flow && one.generation === flow.generation && flow.state === 'building';
    return ageOf({
      quietFor: news?.quietFor(now) ?? 0,
      late: news?.isLate(now) ?? false,
      lag: total(figuresOf(figures, flow, 'lag')),
      perSecond: total(figuresOf(figures, flow, 'events_per_second')) ?? 0,
      building: this.progress().rows.find(isOurs) ?? null,
      parts: partsOf(figures),
    });
  }
}

function figuresOf(figures: readonly Figure[], { flow, generation }: FlowInfo, measure: string) {
  return figures.filter(
    (one) => one.measure === measure && one.flow === flow && one.generation === generation,
  );
}

import { computed, DestroyRef, effect, inject, Injectable, signal, untracked } from '@angular/core';
import { CatalogueService } from '../catalogue/catalogue.service';
import type { FlowInfo } from '../catalogue/flows';
import type { TableQuery } from '../deephaven/query';
import { NO_ROWS, watchRows, type LiveRows } from '../live-rows/live-rows';
import { SwitchedRows } from '../live-rows/switched-rows';
import { HubService } from '../session/hub.service';
import { readCatchUp, type CatchUp } from './catch-up';
import { MOST_FIGURES, partsOf, readFigure, total, type Figure } from './figures';
import { ageOf, FRESH, type FlowAge } from './flow-age';
import { FlowNews } from './flow-news';
import { newestOf, newestQuery, readNewest, type NewestRecord } from './newest-record';
import { PulseService } from './pulse.service';

/** How often ages are worked out again, in milliseconds. */
const READ_EVERY = 1_000;
/** The figures that tell how current a flow is. */
const FIGURES: TableQuery = {
  table: 'health',
  // Descending: of more figures than are read, those left out are events, not whether a part is up.
  sort: [{ column: 'measure', direction: 'desc' }],
  filters: [
    { column: 'measure', op: 'oneOf', values: ['up', 'lag', 'events_per_second', 'events'] },
  ],
  columns: ['part', 'measure', 'flow', 'generation', 'value', 'note'],
};
const PROGRESS: TableQuery = { table: 'progress', sort: [], filters: [] };

/** How current each flow is, and why it is not: from what the parts report and have reported. */
@Injectable({ providedIn: 'root' })
export class FreshnessService {
  private readonly hub = inject(HubService);
  private readonly catalogue = inject(CatalogueService);
  private readonly pulse = inject(PulseService).pulse;
  private readonly now = signal(Date.now());
  private readonly figures = signal<LiveRows<Figure>>(NO_ROWS);
  private readonly progress = signal<LiveRows<CatchUp>>(NO_ROWS);
  private readonly newest = signal<LiveRows<NewestRecord>>(NO_ROWS);
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
    const topics = new SwitchedRows(hub, { count: 1, read: readNewest, keep: true }, (rows) =>
      this.newest.set(rows),
    );
    const stops = [
      watchRows(hub, FIGURES, MOST_FIGURES, readFigure, (rows) => this.figures.set(rows)),
      watchRows(hub, PROGRESS, 20, readCatchUp, (rows) => this.progress.set(rows)),
      () => topics.stop(),
    ];
    const timer = setInterval(() => this.now.set(Date.now()), READ_EVERY);
    inject(DestroyRef).onDestroy(() => {
      clearInterval(timer);
      stops.forEach((stop) => stop());
    });
    effect(() => {
      const sources = this.catalogue.flows().flatMap((flow) => flow.sources);
      const names = sources.map(({ topic }) => topic);
      untracked(() => topics.watch(newestQuery(names), names.length));
    });
    effect(() => {
      const figures = this.figures().rows;
      const newest = this.newest().rows;
      const flows = this.catalogue.flows();
      untracked(() => flows.forEach((flow) => this.take(flow, figures, newest)));
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

  /** Takes how many records of a flow have come, and when the newest was written if all of them have. */
  private take(flow: FlowInfo, figures: readonly Figure[], newest: readonly NewestRecord[]): void {
    const count = total(figuresOf(figures, flow, 'events'));
    const news = this.news.get(flow.flow) ?? new FlowNews(Date.now());
    this.news.set(flow.flow, news);
    if (count !== null) {
      news.take(count, Date.now());
    }
    const written = newestOf(flow.sources, newest);
    if (written !== null && total(figuresOf(figures, flow, 'lag')) === 0) {
      news.takeNewest(written);
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

import {
  computed,
  DestroyRef,
  effect,
  inject,
  Injectable,
  linkedSignal,
  signal,
  type Signal,
  untracked,
} from '@angular/core';
import type { Drawing } from '../charts/drawing';
import type { TableQuery } from '../deephaven/query';
import { noteOf, NO_ROWS, type LiveRows } from '../live-rows/live-rows';
import type { RecordReader } from '../live-rows/read-records';
import { SwitchedRows } from '../live-rows/switched-rows';
import { HubService } from '../shell/hub.service';
import * as queries from './gold-queries';
import * as records from './gold-records';
import { priceDrawing } from './price-chart';
import { priceLine } from './price-line';
import { ALL_SOURCES, sourceOptions, totalsOf } from './source-choice';
import { FIRST_SYMBOLS, MOST_SYMBOLS, SymbolChoice } from './symbol-choice';
import { TotalsHistory } from './totals-history';
import { SAMPLE_EVERY } from './samples';

/** Where the chosen source system is kept for this tab. */
const KEPT_SOURCE = 'tidegrid.gold.source';
/** More source systems than there are. */
const MOST_SOURCES = 200;
/** Fifteen minutes of a symbol at ten source systems. */
const PRICE_ROWS = 10 * queries.TREND_ROWS;

/** The tables that the Gold page is made of, of one source system or all, while the page is there. */
@Injectable()
export class GoldData {
  private readonly hub = inject(HubService);
  private readonly destroyed = inject(DestroyRef);
  private readonly chosenSource = signal(sessionStorage.getItem(KEPT_SOURCE) ?? ALL_SOURCES);
  private readonly history = new TotalsHistory();
  private readonly sampled = signal(0);

  /** The source system that everything is about. */
  readonly source = this.chosenSource.asReadonly();
  /** Whether there is a session. */
  readonly connected = computed(() => this.hub.connection().kind === 'connected');
  /** The sums of every source system. */
  readonly totals = this.rows(queries.totalsQuery, MOST_SOURCES, records.readTotals);
  /** Changes when the flow goes to another generation. */
  readonly turn = computed(() => this.totals().generation);
  /** The source systems to choose from. */
  readonly sources = computed(() => sourceOptions(this.totals().rows, this.source()));
  /** The sums of the chosen one; null if there are none. */
  readonly sums = computed(() => totalsOf(this.totals().rows, this.source()));
  /** The time at the server, in steps, by epoch milliseconds; null as long as it is not known. */
  readonly now = computed(() => totalsOf(this.totals().rows, ALL_SOURCES)?.now ?? null);
  /** Whether one is chosen that has no rows. */
  readonly gone = computed(
    () => this.totals().known && this.source() !== ALL_SOURCES && this.sums() === null,
  );
  readonly trend = this.rows(
    () => queries.trendQuery(this.source()),
    queries.TREND_ROWS,
    records.readTrendPoint,
  );
  readonly byInstrument = this.pnl('instrument');
  readonly byAllotment = this.pnl('allotment');
  readonly risers = this.movers('up');
  readonly fallers = this.movers('down');
  readonly topPrices = this.rows(
    () => queries.topPricesQuery(this.source()),
    queries.LIST_ROWS,
    records.readTopPrice,
  );
  /** The sums since the page was opened. */
  readonly past = computed(() => {
    this.sampled();
    return this.history.of(this.source());
  });

  private readonly chosenSymbols = signal<readonly string[]>([]);
  /** Which symbols are drawn. */
  readonly choice = new SymbolChoice(sessionStorage, (symbols) => this.take(symbols));
  readonly symbols = this.chosenSymbols.asReadonly();
  private readonly undecided = signal(this.choice.undecided);
  /** What symbols are suggested for: once, so that lines stay, and again when others are there. */
  private readonly occasion = computed(() => JSON.stringify([this.source(), this.turn()]));
  private readonly suggestedFor = signal('');
  private readonly busiest = this.rows(
    () =>
      this.turn() !== null && this.undecided() && this.suggestedFor() !== this.occasion()
        ? queries.busiestQuery(this.source())
        : null,
    FIRST_SYMBOLS,
    (row) => row.text('symbol'),
    false,
  );
  private readonly prices = Array.from({ length: MOST_SYMBOLS }, (_, n) => this.pricesAt(n));
  private readonly loadingPrices = computed(() =>
    this.symbols().some((_, n) => this.prices[n]?.().state.kind === 'loading'),
  );
  /** Whether prices are drawn that are no longer followed. */
  readonly pricesFailed = computed(() =>
    this.symbols().some((_, n) => this.prices[n]?.().state.kind === 'failed'),
  );
  /** The price lines; those drawn before stay until all of the next are there. */
  readonly priceDrawing: Signal<Drawing> = linkedSignal<boolean, Drawing>({
    source: this.loadingPrices,
    computation: (loading, before) =>
      loading && before ? before.value : priceDrawing(this.priceLines()),
  });
  /** What to say in place of the price lines; null while there are some. */
  readonly pricesNote = computed(() => {
    if (this.symbols().length === 0) {
      return this.undecided()
        ? noteOf(this.busiest(), 'No trades in the last 5 minutes.')
        : 'Add a symbol to see its prices.';
    }
    return this.priceDrawing().points > 0
      ? null
      : noteOf(this.prices[0]?.() ?? NO_ROWS, 'No trades of these symbols in the last 15 minutes.');
  });

  constructor() {
    this.chosenSymbols.set(this.choice.symbols);
    effect(() => {
      const symbols = this.busiest().rows;
      if (symbols.length > 0) {
        untracked(() => this.choice.suggest(symbols));
        this.suggestedFor.set(untracked(this.occasion));
      }
    });
    effect(() => {
      this.totals();
      untracked(() => this.sample());
    });
    const timer = setInterval(() => this.sample(), SAMPLE_EVERY);
    this.destroyed.onDestroy(() => clearInterval(timer));
  }

  /** Makes the page about another source system. */
  choose(source: string): void {
    this.chosenSource.set(source);
    sessionStorage.setItem(KEPT_SOURCE, source);
  }

  /** The first rows of a query, whatever it comes to be. */
  rows<T>(
    query: () => TableQuery | null,
    count: number,
    read: (reader: RecordReader) => T,
    keep = true,
  ): Signal<LiveRows<T>> {
    const rows = signal<LiveRows<T>>(NO_ROWS);
    const switched = new SwitchedRows(this.hub.tables, { count, read, keep }, (next) =>
      rows.set(next),
    );
    effect(() => {
      const next = query();
      untracked(() => switched.watch(next));
    });
    this.destroyed.onDestroy(() => switched.stop());
    return rows.asReadonly();
  }

  private pnl(group: 'instrument' | 'allotment'): Signal<LiveRows<records.PnlGroup>> {
    const query = () => queries.pnlQuery(group, this.source());
    return this.rows(query, queries.MOST_GROUPS, records.readPnlGroup(group));
  }

  private movers(direction: 'up' | 'down'): Signal<LiveRows<records.Mover>> {
    const query = () => queries.moversQuery(direction, this.source());
    return this.rows(query, queries.MOVER_ROWS, records.readMover);
  }

  /** The prices of the symbol at a place; under another name they would be wrong, so none is kept. */
  private pricesAt(place: number): Signal<LiveRows<records.PriceBucket>> {
    const query = () => {
      const symbol = this.symbols()[place];
      return symbol === undefined ? null : queries.pricesQuery(symbol, this.source());
    };
    return this.rows(query, PRICE_ROWS, records.readPriceBucket, false);
  }

  private priceLines() {
    return this.symbols().map((symbol, n) => priceLine(symbol, this.prices[n]?.().rows ?? []));
  }

  private take(symbols: readonly string[]): void {
    this.chosenSymbols.set(symbols);
    this.undecided.set(this.choice.undecided);
  }

  private sample(): void {
    const { rows, state, generation } = this.totals();
    if (state.kind === 'live' && this.history.add(rows, Date.now(), generation)) {
      this.sampled.update((count) => count + 1);
    }
  }
}

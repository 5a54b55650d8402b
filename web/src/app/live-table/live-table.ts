import type { FeedState, Snapshot } from '../deephaven/feed';
import { queryKey, type Filter } from '../deephaven/query';
import type { Subscription, TableHub } from '../deephaven/table-hub';
import { Cursor } from './cursor';
import { exportRows } from './export-rows';
import { toCsv, toTsv } from './export-text';
import { exportCell, titleOf } from './format';
import { FadeTimer } from './fade-timer';
import type { Frames, FrameTask } from './frames';
import { FreshRows } from './fresh-rows';
import { rowViews, stateMessage, type GridView } from './grid-view';
import { LiveQuery } from './live-query';
import type { LiveTableSink } from './live-table-sink';
import { RowModels } from './row-models';
import { RowScroll } from './row-scroll';
import type { TableSpec } from './table-spec';

/** How long typing must rest before a filter is sent, in milliseconds. */
export const TYPING_PAUSE = 250;

/** The behaviour of a live grid: what to ask the hub, what to draw, what keys and clicks do. */
export class LiveTable implements FrameTask {
  /** Order, filters and columns as the viewer chose them. */
  readonly query: LiveQuery;
  private readonly models: RowModels;
  private readonly fresh: FreshRows;
  private readonly scroll = new RowScroll();
  private subscription: Subscription;
  /** The key of the query that is subscribed to. */
  private asked = '';
  private state: FeedState = { kind: 'loading' };
  private pending: Snapshot | null = null;
  private shown: Snapshot | null = null;
  private stale = false;
  private readonly cursor: Cursor;
  private unpainted: number[] = [];
  private typing: ReturnType<typeof setTimeout> | undefined;
  private readonly fade = new FadeTimer(() => this.frames.request(this));

  constructor(
    private readonly spec: TableSpec,
    private readonly hub: Pick<TableHub, 'subscribe'>,
    private readonly frames: Frames,
    private readonly sink: LiveTableSink,
    private readonly clock: () => number = Date.now,
    filters: readonly Filter[] = [],
  ) {
    this.query = new LiveQuery(spec);
    this.query.restrict(filters);
    this.models = new RowModels(spec.key, this.query.formatOf);
    this.cursor = new Cursor(this.models);
    this.fresh = new FreshRows(clock());
    this.subscription = this.subscribe();
  }

  /** Tells the height available to rows, in pixels. */
  resize(height: number): void {
    this.scroll.resize(height);
    this.changed();
  }

  /** Tells where the viewer has scrolled to. */
  scrolledTo(scrollTop: number): void {
    if (this.scroll.scrolledTo(scrollTop)) {
      this.changed();
    }
  }

  /** Scrolls by pixels of rows, exact even where the scroll bar is too coarse. */
  scrollBy(pixels: number): void {
    this.scroll.scrollBy(pixels);
    this.changed();
  }

  /** Goes to a page. */
  goTo(page: 'first' | 'prev' | 'next' | 'last'): void {
    this.scroll.goTo(page);
    this.changed();
  }

  /** Sorts by a column, the other way round, or no longer. */
  toggleSort(column: string): void {
    this.query.cycleSort(column);
    this.askFrom('top');
  }

  /** Shows only the rows that pass the page's filters, beside those of the viewer. */
  restrict(filters: readonly Filter[]): void {
    if (this.query.restrict(filters)) {
      this.askFrom('top');
    }
  }

  /** Filters by what has been typed, once the typing rests. */
  typeFilter(column: string, text: string): void {
    this.query.setFilterText(column, text);
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.askFrom('top'), TYPING_PAUSE);
  }

  /** Shows or hides a column. */
  setHidden(column: string, hidden: boolean): void {
    this.query.setHidden(column, hidden);
    this.askFrom('here');
  }

  /** Moves the cursor; returns whether the key is one that does. */
  press(key: string, extend: boolean): boolean {
    const bounds = {
      rows: this.scroll.total,
      columns: this.query.visible().length,
      page: this.scroll.page,
    };
    const row = this.cursor.press(key, extend, bounds);
    if (row !== null) {
      this.scroll.reveal(row);
      this.changed();
    }
    return row !== null;
  }

  /** Puts the cursor on a cell, or extends the selected rows to it. */
  pick(row: number, column: number, extend: boolean): void {
    this.cursor.pick(row, column, extend);
    this.changed();
  }

  /** The tooltip of a cell: the whole text, or the date of a time. */
  titleOf(row: number, column: number): string {
    const shown = this.query.visible()[column];
    const cells = this.models.at(row)?.cells;
    return shown && cells ? titleOf(cells[shown.index] ?? null, shown.format) : '';
  }

  /** What Ctrl-C copies: the cell under the cursor or the selected rows that are loaded. */
  copyText(): string | null {
    const { selection, range } = this.cursor;
    const visible = this.query.visible();
    const column = selection && visible[selection.column];
    if (!column || !range) {
      return null;
    }
    if (selection.rows) {
      return toTsv(exportRows(this.models, visible, range));
    }
    const cell = this.models.at(selection.row)?.cells[column.index] ?? null;
    return exportCell(cell, column.format);
  }

  /** The visible rows as CSV, with a line of column names. */
  csv(): string {
    const visible = this.query.visible();
    const names = visible.map(({ info }) => info.name);
    return toCsv([names, ...exportRows(this.models, visible, this.scroll.visible())]);
  }

  /** Says that what comes next was not waited for, as after the page was hidden. */
  skipMeasuring(): void {
    this.fresh.reset(this.clock());
    this.unpainted = [];
  }

  /** Lets go of everything. */
  close(): void {
    clearTimeout(this.typing);
    this.fade.stop();
    this.subscription.unsubscribe();
    this.frames.cancel(this);
  }

  /** Takes over the newest rows and draws. */
  prepare(): void {
    const now = this.clock();
    if (this.pending) {
      this.merge(this.pending, now);
      this.pending = null;
    }
    this.sink.draw(this.view(now));
  }

  settle(): void {
    this.sink.drawn();
  }

  painted(now: number): void {
    if (this.unpainted.length > 0) {
      this.sink.painted(this.unpainted, now);
      this.unpainted = [];
    }
  }

  private subscribe(): Subscription {
    const query = this.query.query();
    this.asked = queryKey(query);
    return this.hub.subscribe(query, this.scroll.window(), {
      snapshot: (snapshot) => {
        this.pending = snapshot;
        this.frames.request(this);
      },
      state: (state) => {
        if (state.kind !== 'live') {
          this.fresh.reset(this.clock());
        }
        this.state = state;
        this.frames.request(this);
      },
    });
  }

  private askFrom(place: 'top' | 'here'): void {
    if (queryKey(this.query.query()) === this.asked) {
      // Half a filter asks for nothing new, but says what is wrong with it.
      this.frames.request(this);
      return;
    }
    if (place === 'top') {
      this.scroll.goTo('first');
    }
    this.ask();
  }

  private ask(): void {
    const old = this.subscription;
    this.stale = true;
    this.pending = null;
    this.fresh.reset(this.clock());
    this.subscription = this.subscribe();
    old.unsubscribe();
    this.changed();
  }

  private changed(): void {
    this.subscription.moveTo(this.scroll.window());
    this.frames.request(this);
  }

  private merge(snapshot: Snapshot, now: number): void {
    this.query.learn(snapshot.columns);
    if (this.stale) {
      this.models.clear();
      this.stale = false;
    }
    this.models.merge(snapshot, now);
    this.shown = snapshot;
    const { first, rows, total } = snapshot;
    this.scroll.setRows(total, { first, last: first + rows.length - 1 });
    this.subscription.moveTo(this.scroll.window());
    this.cursor.follow();
    const { times, newest } = this.fresh.take(
      this.models,
      snapshot.columns,
      this.scroll.windowSize,
      this.query.newestFirst,
    );
    this.unpainted.push(...times);
    if (newest !== null) {
      this.sink.newest(newest);
    }
    this.fade.restart();
  }

  private view(now: number): GridView {
    const visible = this.query.visible();
    const total = this.scroll.total;
    const empty = this.state.kind === 'live' && this.shown !== null && total === 0;
    return {
      columns: this.query.heads(visible),
      rows: rowViews(this.models, visible, this.scroll.visible(), this.cursor.range, now),
      ...this.scroll.geometry(),
      total,
      state: empty ? 'empty' : this.state.kind,
      message: stateMessage(this.state, total, this.query.filtered, this.spec.empty),
      stale: this.stale,
      cursor: this.cursor.selection,
    };
  }
}

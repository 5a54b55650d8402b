import type { FeedState, Snapshot } from '../deephaven/feed';
import { queryKey } from '../deephaven/query';
import type { Subscription, TableHub } from '../deephaven/table-hub';
import { Cursor } from './cursor';
import { FadeTimer } from './fade-timer';
import type { Frames, FrameTask } from './frames';
import { FreshRows, newestTime } from './fresh-rows';
import { rowViews, stateMessage, type GridView } from './grid-view';
import { covers, HeldRows } from './held-rows';
import type { LiveQuery } from './live-query';
import type { LiveTableSink } from './live-table-sink';
import { RowModels } from './row-models';
import { RowScroll } from './row-scroll';
import { spokenRows } from './spoken-text';
import type { TableSpec } from './table-spec';

/** The rows of a grid: asks the hub for those in view, takes over what comes, draws it in frames. */
export class GridFeed implements FrameTask {
  readonly models: RowModels;
  readonly cursor: Cursor;
  readonly scroll = new RowScroll();
  /** The rows that are drawn, before the first none. */
  shown: Snapshot | null = null;
  private readonly fresh: FreshRows;
  private readonly held = new HeldRows();
  private subscription: Subscription;
  /** The key of the query that is subscribed to. */
  private asked = '';
  private state: FeedState = { kind: 'loading' };
  private pending: Snapshot | null = null;
  private stale = false;
  private unpainted: number[] = [];
  private readonly fade = new FadeTimer(() => this.redraw());

  constructor(
    private readonly spec: TableSpec,
    private readonly query: LiveQuery,
    private readonly hub: Pick<TableHub, 'subscribe'>,
    private readonly frames: Frames,
    private readonly sink: LiveTableSink,
    private readonly clock: () => number,
  ) {
    this.models = new RowModels(spec.key, query.formatOf);
    this.cursor = new Cursor(this.models);
    this.fresh = new FreshRows(clock());
    this.subscription = this.subscribe();
  }

  /** Asks what the query says now; returns whether that is anything new. */
  ask(place: 'top' | 'here'): boolean {
    if (queryKey(this.query.query()) === this.asked) {
      // Half a filter asks for nothing new, but says what is wrong with it.
      this.redraw();
      return false;
    }
    if (place === 'top') {
      this.scroll.goTo('first');
    }
    const old = this.subscription;
    this.stale = true;
    this.pending = null;
    this.fresh.reset(this.clock());
    this.subscription = this.subscribe();
    old.unsubscribe();
    this.follow();
    return true;
  }

  /** Asks for the rows that are in view after a scroll, and draws. */
  follow(): void {
    // Rows that are held must not be replaced by those of a window that nobody needs.
    if (!this.held.view || this.stale || !this.scroll.isShown) {
      this.subscription.moveTo(this.scroll.window());
    }
    this.redraw();
  }

  /** Draws in the next frame. */
  redraw(): void {
    this.frames.request(this);
  }

  /** Holds the rows as they are. */
  pause(): void {
    this.held.pause(this.clock());
    this.redraw();
  }

  /** Takes over the newest rows, and all that follow. */
  resume(): void {
    this.held.resume();
    this.skipMeasuring();
    this.follow();
  }

  /** Says that what comes next was not waited for, as after the page was hidden. */
  skipMeasuring(): void {
    this.fresh.reset(this.clock());
    this.unpainted = [];
  }

  /** Lets go of everything. */
  close(): void {
    this.fade.stop();
    this.subscription.unsubscribe();
    this.frames.cancel(this);
  }

  /** Takes over the newest rows and draws. */
  prepare(): void {
    const now = this.clock();
    if (this.pending && this.takes(this.pending)) {
      const pending = this.pending;
      this.pending = null;
      this.held.taken();
      this.merge(pending, now);
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
        this.held.note();
        this.redraw();
      },
      state: (state) => {
        if (state.kind !== 'live') {
          this.fresh.reset(this.clock());
        }
        this.state = state;
        this.redraw();
      },
    });
  }

  /** Whether rows are to be shown: always, but while paused only those that the viewer asked for. */
  private takes(snapshot: Snapshot): boolean {
    if (!this.held.view || this.stale || !this.shown) {
      return true;
    }
    const newest = newestTime(snapshot);
    if (newest !== null) {
      this.sink.newest(newest);
    }
    return !this.scroll.isShown && covers(snapshot, this.scroll.visible());
  }

  private merge(snapshot: Snapshot, now: number): void {
    const learnt = this.query.learn(snapshot.columns);
    if (this.stale) {
      this.models.clear();
      this.stale = false;
      this.sink.say?.(spokenRows(snapshot.total));
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
    if (learnt) {
      // A filter was read by what its column was thought to be.
      this.ask('here');
    }
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
      paused: this.held.view,
    };
  }
}

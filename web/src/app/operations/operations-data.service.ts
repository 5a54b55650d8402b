import {
  computed,
  DestroyRef,
  effect,
  inject,
  Injectable,
  signal,
  type Signal,
  untracked,
} from '@angular/core';
import type { Sort } from '../deephaven/query';
import { HubService } from '../shell/hub.service';
import { STATUS_TABLE } from '../status-bar/flow-status';
import { readCatchUp } from './catch-up';
import { generationsOf } from './generations';
import { readLiveFlow } from './live-flows';
import { NO_ROWS, watchRows, type LiveRows } from '../live-rows/live-rows';
import { readViewPreview } from './preview';
import type { RecordReader } from '../live-rows/read-records';
import { readReceipt } from './receipts';
import { readAnswer } from './request-log';
import { stageOf, type Stage } from './request-stage';
import { RequestsService } from './requests.service';
import { readSourceTopic } from './source-topics';

/** How often the page looks at the clock, in milliseconds. */
const READ_EVERY = 250;

/** The tables that the operations page is made of, for as long as the page is there. */
@Injectable()
export class OperationsData {
  private readonly hub = inject(HubService);
  private readonly destroyed = inject(DestroyRef);
  private readonly requests = inject(RequestsService);
  private readonly answers = this.watch('swap_answers', 50, readAnswer, newest('at'));
  private readonly clock = signal(Date.now());
  /** The time, a few times a second. */
  readonly now = this.clock.asReadonly();
  /** Whether there is a session. */
  readonly connected = computed(() => this.hub.connection().kind === 'connected');
  /** What is live of each flow. */
  readonly flows = this.watch(STATUS_TABLE, 10, readLiveFlow);
  /** The receipts; the server sends the newest first. */
  readonly receipts = this.watch('generations', 1_000, readReceipt);
  /** The counts of each view, old and new. */
  readonly previews = this.watch('preview', 100, readViewPreview, newest('at'));
  /** How far the generations under way have come. */
  readonly catchUps = this.watch('progress', 20, readCatchUp);
  /** The broker's topics, by name. */
  readonly topics = this.watch('topics', 2_000, readSourceTopic, [
    { column: 'topic', direction: 'asc' },
  ]);
  /** The receipts as generations, newest first. */
  readonly generations = computed(() => generationsOf(this.receipts().rows));

  constructor() {
    effect(() => {
      const answers = this.answers().rows;
      const receipts = this.receipts().rows;
      untracked(() => this.requests.log.receive(answers, receipts));
    });
    const timer = setInterval(() => this.clock.set(Date.now()), READ_EVERY);
    this.destroyed.onDestroy(() => clearInterval(timer));
  }

  /** How far this viewer's last request of a flow has come. */
  stage(flow: string): Stage {
    const request = this.requests.requests().find((one) => one.flow === flow) ?? null;
    return stageOf(request, this.receipts().rows, this.now());
  }

  private watch<T>(
    table: string,
    count: number,
    read: (reader: RecordReader) => T,
    sort: readonly Sort[] = [],
  ): Signal<LiveRows<T>> {
    const rows = signal<LiveRows<T>>(NO_ROWS);
    const query = { table, sort, filters: [] };
    const stop = watchRows(this.hub.tables, query, count, read, (next) => rows.set(next));
    this.destroyed.onDestroy(stop);
    return rows.asReadonly();
  }
}

function newest(column: string): readonly Sort[] {
  return [{ column, direction: 'desc' }];
}

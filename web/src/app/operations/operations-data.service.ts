import {
  computed,
  DestroyRef,
  effect,
  inject,
  Injectable,
  signal,
  type Signal,
  untracked,
  type WritableSignal,
} from '@angular/core';
import type { Sort } from '../deephaven/query';
import { HubService } from '../session/hub.service';
import { readCatchUp } from '../freshness/catch-up';
import { MOST_FIGURES, readFigure } from '../freshness/figures';
import { CatalogueService } from '../catalogue/catalogue.service';
import { generationsOf } from './generations';
import { liveFlows, readLiveStatus } from './live-flows';
import { NO_ROWS, watchRows, type LiveRows } from '../live-rows/live-rows';
import { readViewPreview } from './preview';
import type { RecordReader } from '../live-rows/read-records';
import { readReceipt } from './receipts';
import { readAnswer } from './request-log';
import { stageOf, type Stage } from './request-stage';
import { RequestsService } from './requests.service';
import { readSourceTopic } from './source-topics';
import type { Draft } from './swap-draft';

/** A form as the viewer left it. */
export interface FormState {
  /** What the viewer changed; everything else follows what is live. */
  readonly edits: WritableSignal<Draft>;
  /** What was sent last. */
  readonly sent: WritableSignal<Draft>;
}

/** How often the page looks at the clock, in milliseconds. */
const READ_EVERY = 250;

/** The tables that the operations page is made of, for as long as the page is there. */
@Injectable()
export class OperationsData {
  private readonly hub = inject(HubService);
  private readonly catalogue = inject(CatalogueService);
  private readonly destroyed = inject(DestroyRef);
  private readonly requests = inject(RequestsService);
  private readonly answers = this.watch('swap_answers', 50, readAnswer, newest('at'));
  private readonly clock = signal(Date.now());
  /** The time, a few times a second. */
  readonly now = this.clock.asReadonly();
  /** Whether there is a session. */
  readonly connected = computed(() => this.hub.connection().kind === 'connected');
  /** How each flow is joined, since when, and how long it lingers. */
  readonly statuses = this.watch('orchestrator_status', 1_000, readLiveStatus);
  /** What is live of each flow. */
  readonly flows = computed(() => liveFlows(this.catalogue.flows(), this.statuses().rows));
  /** The receipts; the server sends the newest first. */
  readonly receipts = this.watch('generations', 1_000, readReceipt);
  /** The counts of each view, old and new. */
  readonly previews = this.watch('preview', 1_000, readViewPreview, newest('at'));
  /** How far the generations under way have come. */
  readonly catchUps = this.watch('progress', 20, readCatchUp);
  /** What the parts have counted. */
  readonly health = this.watch('health', MOST_FIGURES, readFigure);
  /** The broker's topics, by name. */
  readonly topics = this.watch('topics', 2_000, readSourceTopic, [
    { column: 'topic', direction: 'asc' },
  ]);
  /** The flow that the form and the preview are about. */
  readonly flow = computed(() => {
    const flows = this.catalogue.flows();
    const chosen = flows.find(({ flow }) => flow === this.chosen());
    return (chosen ?? flows[0])?.flow ?? '';
  });
  private readonly chosen = signal('');
  private readonly forms = new Map<string, FormState>();
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

  /** Makes the form and the preview about another flow. */
  choose(flow: string): void {
    this.chosen.set(flow);
  }

  /** What the viewer typed into the form of a flow; kept while another one is shown. */
  form(flow: string): FormState {
    const form = this.forms.get(flow) ?? { edits: signal<Draft>({}), sent: signal<Draft>({}) };
    this.forms.set(flow, form);
    return form;
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

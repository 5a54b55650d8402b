import { computed, DestroyRef, inject, Injectable, signal } from '@angular/core';
import { HubService } from '../../session/hub.service';
import { catchUpOf } from '../../freshness/catch-up';
import { OperationsData } from '../operations-data.service';
import { RequestsService } from '../requests.service';
import { AddTable, phaseOf, type AddTableState } from './add-table';
import { tablesOf } from './edits';
import { formOf } from './flow-form';
import { readListedTopic } from './topic-choice';
import { watchTable } from './watch-table.service';

/** The way to a new table, for as long as it is on the page. */
@Injectable()
export class AddTableService {
  private readonly hub = inject(HubService);
  private readonly data = inject(OperationsData);
  private readonly requests = inject(RequestsService);
  private readonly current = signal<AddTableState>({ step: 'choose', problem: null });
  /** What the viewer does is told to this. */
  readonly steps = new AddTable(
    this.hub.tables,
    (flow, declaration) =>
      void this.requests.log.send(flow, 'apply', {
        message: JSON.stringify({ apply: declaration }),
      }),
    (state) => this.current.set(state),
  );
  /** Where the viewer is. */
  readonly state = this.current.asReadonly();
  /** Whether there is somebody to ask. */
  readonly connected = this.data.connected;
  /** The topics that can be chosen. */
  readonly topics = watchTable('topics', 2_000, readListedTopic, [
    { column: 'topic', direction: 'asc' },
  ]);
  /** The declaration in the hands of the viewer, if there is one. */
  readonly draft = computed(() => {
    const state = this.state();
    return state.step === 'form' || state.step === 'sent' ? state.draft : null;
  });
  /** It as a form. */
  readonly form = computed(() => {
    const draft = this.draft();
    return draft && formOf(draft.look, draft.edits, draft.problems);
  });
  /** The flow that was asked for. */
  readonly asked = computed(() => {
    const state = this.state();
    return state.step === 'sent'
      ? { flow: String(state.declaration['name']), tables: tablesOf(state.declaration) }
      : { flow: '', tables: [] };
  });
  /** How far that has come. */
  readonly stage = computed(() => this.data.stage(this.asked().flow));
  readonly phase = computed(() => phaseOf(this.state(), this.stage()));
  readonly catchUp = computed(() =>
    catchUpOf(this.data.catchUps().rows, this.asked().flow, this.stage().generation),
  );
  constructor() {
    inject(DestroyRef).onDestroy(() => this.steps.stop());
  }
}

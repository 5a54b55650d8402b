import { computed, inject, Injectable } from '@angular/core';
import { OperationsData } from '../operations-data.service';
import { RequestsService } from '../requests.service';
import { readFlowSource, readFlowTable, removablesOf } from './removal';
import { watchTable } from './watch-table.service';

/** The flows that run, and the way to remove one. */
@Injectable()
export class FlowsService {
  private readonly data = inject(OperationsData);
  private readonly requests = inject(RequestsService);
  private readonly sources = watchTable('flows', 500, readFlowSource);
  private readonly catalogue = watchTable('catalogue', 2_000, readFlowTable);
  /** Whether there is somebody to ask. */
  readonly connected = this.data.connected;
  /** The flows that run. */
  readonly flows = computed(() => removablesOf(this.sources().rows, this.catalogue().rows));
  /** How far the removals have come that were asked for here. */
  readonly removals = computed(() =>
    this.requests
      .requests()
      .filter(({ action }) => action === 'remove')
      .map(({ flow }) => ({ flow, ...this.data.stage(flow) })),
  );

  /** Asks for a flow to be taken away. */
  remove(flow: string): void {
    const message = JSON.stringify({ remove: flow });
    void this.requests.log.send(flow, 'remove', { message });
  }
}

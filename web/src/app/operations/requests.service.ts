import { inject, Injectable, signal } from '@angular/core';
import { HubService } from '../session/hub.service';
import { RequestLog, type Request } from './request-log';

/** What this viewer asked for; outlives the page, so that one can look at the tables meanwhile. */
@Injectable({ providedIn: 'root' })
export class RequestsService {
  private readonly tables = inject(HubService).tables;
  private readonly known = signal<readonly Request[]>([]);
  /** The last request of each flow. */
  readonly requests = this.known.asReadonly();
  /** Sends requests and takes their answers. */
  readonly log = new RequestLog(
    (table, values) => this.tables.addRow(table, values),
    (requests) => this.known.set(requests),
  );
}

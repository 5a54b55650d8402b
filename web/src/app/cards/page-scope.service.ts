import { computed, DestroyRef, effect, inject, Injectable, signal, untracked } from '@angular/core';
import type { Signal } from '@angular/core';
import { CatalogueService } from '../catalogue/catalogue.service';
import { ALL, type TableInfo } from '../catalogue/tables';
import { NO_ROWS, type LiveRows } from '../live-rows/live-rows';
import type { Cells, RecordReader } from '../live-rows/read-records';
import { SwitchedRows } from '../live-rows/switched-rows';
import { HubService } from '../session/hub.service';
import type { PageChoice, RowsQuery } from './page-query';

/** What the cards of a page share: its flow, its filter, and the way to rows. */
@Injectable()
export class PageScope {
  private readonly hub = inject(HubService);
  private readonly catalogue = inject(CatalogueService);
  /** The flow that the page is of. */
  readonly flow = signal('');
  /** What the page is about. */
  readonly choice = signal<PageChoice>({ column: '', value: ALL });
  /** Whether there is a session. */
  readonly connected = computed(() => this.hub.connection().kind === 'connected');

  /** What is known of a table. */
  info(table: string): TableInfo | undefined {
    return this.catalogue.tables().get(table);
  }

  /**
   * The first rows of a query, whatever it comes to be, while the card that asks is there. They
   * stay until those of the next query have come, unless `keep` is false.
   */
  rows(query: () => RowsQuery | null, keep = true): Signal<LiveRows<Cells>> {
    const rows = signal<LiveRows<Cells>>(NO_ROWS);
    const options = { count: 1, read: (row: RecordReader) => row.cells(), keep };
    const switched = new SwitchedRows(this.hub.tables, options, (next) => rows.set(next));
    effect(() => {
      const next = query();
      untracked(() => switched.watch(next, next?.count));
    });
    inject(DestroyRef).onDestroy(() => switched.stop());
    return rows.asReadonly();
  }
}

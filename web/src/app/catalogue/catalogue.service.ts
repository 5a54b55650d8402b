import { computed, DestroyRef, inject, Injectable, signal, type Signal } from '@angular/core';
import { NO_ROWS, watchRows, type LiveRows } from '../live-rows/live-rows';
import type { RecordReader } from '../live-rows/read-records';
import { HubService } from '../session/hub.service';
import { addressOf, readPage } from './flow-pages';
import { flowsOf, readSource } from './flows';
import { GRACE, HeldRows } from './held-rows';
import { readTable } from './tables';

/** More rows than a server has of any of these. */
const ALL_ROWS = 10_000;

/** What tables, pages and flows there are, as the server tells it; all of the page is made of it. */
@Injectable({ providedIn: 'root' })
export class CatalogueService {
  private readonly hub = inject(HubService);
  private readonly destroyed = inject(DestroyRef);
  private readonly tableRows = this.watch('catalogue', readTable, ({ table }) => table);
  private readonly pageRows = this.watch('pages', readPage, ({ flow }) => flow);
  private readonly sourceRows = this.watch('flows', readSource, ({ flow, name }) =>
    JSON.stringify([flow, name]),
  );

  /** Whether pages and tables have been read. */
  readonly known = computed(() => this.pageRows().known && this.tableRows().known);
  /** Why they cannot be read; null while they can. */
  readonly problem = computed(() => {
    const { state } = this.pageRows();
    return state.kind === 'failed' ? state.reason : null;
  });
  /** The tables of all flows by name. */
  readonly tables = computed(
    () => new Map(this.tableRows().rows.map((table) => [table.table, table])),
  );
  /** The pages in the order in which their flows came, each with its address. */
  readonly pages = computed(() => {
    const pages = this.pageRows().rows;
    return pages.map((page) => ({ ...page, address: addressOf(page, pages) }));
  });
  /** The flows in the order in which they came. */
  readonly flows = computed(() => flowsOf(this.sourceRows().rows, this.tables().values()));

  /** What a flow is called where people read it. */
  titleOf(flow: string): string {
    return this.flows().find((one) => one.flow === flow)?.title ?? flow;
  }

  private watch<T>(
    table: string,
    read: (reader: RecordReader) => T,
    keyOf: (row: T) => string,
  ): Signal<LiveRows<T>> {
    const rows = signal<LiveRows<T>>(NO_ROWS);
    const held = new HeldRows(keyOf);
    let latest: LiveRows<T> = NO_ROWS;
    const show = () => rows.set({ ...latest, rows: held.read(Date.now()) });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const query = { table, sort: [], filters: [] };
    let away = false;
    const stop = watchRows(this.hub.tables, query, ALL_ROWS, read, (next) => {
      const lost = next.state.kind === 'reconnecting';
      if (away && (!lost || next.rows !== latest.rows)) {
        held.reconnected(Date.now());
        clearTimeout(timer);
        timer = setTimeout(show, GRACE);
      }
      away = lost;
      if (next.rows !== latest.rows) {
        held.take(next.rows);
      }
      latest = next;
      show();
    });
    this.destroyed.onDestroy(stop);
    return rows.asReadonly();
  }
}

import { DestroyRef, inject, signal, type Signal } from '@angular/core';
import type { Sort } from '../../deephaven/query';
import { NO_ROWS, watchRows, type LiveRows } from '../../live-rows/live-rows';
import type { RecordReader } from '../../live-rows/read-records';
import { HubService } from '../../session/hub.service';

/** The first rows of a table, for as long as the one who asks is there. */
export function watchTable<T>(
  table: string,
  count: number,
  read: (reader: RecordReader) => T,
  sort: readonly Sort[] = [],
): Signal<LiveRows<T>> {
  const rows = signal<LiveRows<T>>(NO_ROWS);
  const query = { table, sort, filters: [] };
  const hub = inject(HubService).tables;
  inject(DestroyRef).onDestroy(watchRows(hub, query, count, read, (next) => rows.set(next)));
  return rows.asReadonly();
}

import type { Cell, ColumnInfo } from '../deephaven/decode';
import type { Snapshot } from '../deephaven/feed';
import type { RowModels } from './row-models';
import { TIME_COLUMN, TOPIC_COLUMN } from './table-spec';

interface Seen {
  readonly first: number;
  readonly full: boolean;
  readonly oldest: number;
  readonly times: ReadonlyMap<string, number>;
  readonly topics: ReadonlySet<Cell>;
}

/**
 * Tells which rows of an update show an event that has just come, for measuring how long it took.
 *
 * A row counts when it was on screen with an earlier time, or when it entered the top of a list
 * sorted newest first. Rows that come into view by scrolling, by a filter or by a change of topics
 * are old news, and so is everything from before the attach.
 */
export class FreshRows {
  private seen: Seen | null = null;

  constructor(private attachedAt: number) {}

  /** Starts over, as after an attach: what the next update shows is not counted. */
  reset(now: number): void {
    this.seen = null;
    this.attachedAt = now;
  }

  /** The event times of the rows that have just come, and the newest of all rows. */
  take(
    models: RowModels,
    columns: readonly ColumnInfo[],
    wantedRows: number,
    newestFirst: boolean,
  ): { times: number[]; newest: number | null } {
    const time = columns.findIndex((column) => column.name === TIME_COLUMN);
    const topic = columns.findIndex((column) => column.name === TOPIC_COLUMN);
    if (time < 0) {
      return { times: [], newest: null };
    }
    const before = this.seen;
    const times = new Map<string, number>();
    const topics = new Set<Cell>();
    const fresh: number[] = [];
    let oldest = Infinity;
    let newest = -Infinity;
    for (const { key, cells } of models.rows) {
      const ts = cells[time];
      if (key === null || typeof ts !== 'number' || times.has(key)) {
        continue;
      }
      times.set(key, ts);
      oldest = Math.min(oldest, ts);
      newest = Math.max(newest, ts);
      const from = cells[topic] ?? null;
      topics.add(from);
      if (before?.topics.has(from) && ts > this.attachedAt) {
        const was = before.times.get(key);
        const entered = newestFirst && models.first === 0 && before.first === 0;
        if (was === undefined ? entered && (!before.full || ts > before.oldest) : ts > was) {
          fresh.push(ts);
        }
      }
    }
    const full = models.rows.length >= wantedRows;
    this.seen = { first: models.first, full, oldest, times, topics };
    return { times: fresh, newest: times.size > 0 ? newest : null };
  }
}

/** The newest event time of the rows of a snapshot; null if they have none. */
export function newestTime({ columns, rows }: Snapshot): number | null {
  const time = columns.findIndex((column) => column.name === TIME_COLUMN);
  const times = rows.flatMap((row) => {
    const ts = row[time];
    return typeof ts === 'number' ? [ts] : [];
  });
  return times.length > 0 ? Math.max(...times) : null;
}

import type { FlowSource } from '../catalogue/flows';
import type { TableQuery } from '../deephaven/query';
import type { RecordReader } from '../live-rows/read-records';

/** When the newest record of a topic was written, in epoch milliseconds; null if nobody knows. */
export interface NewestRecord {
  readonly topic: string;
  readonly at: number | null;
}

/** Asks for the newest records of these topics; null if there are none. */
export function newestQuery(topics: readonly string[]): TableQuery | null {
  const columns = ['topic', 'newest'];
  const filters = [{ column: 'topic', op: 'oneOf' as const, values: [...new Set(topics)].sort() }];
  return topics.length === 0 ? null : { table: 'topics', sort: [], filters, columns };
}

/** Reads a row of `topics`. */
export function readNewest(row: RecordReader): NewestRecord {
  return { topic: row.text('topic'), at: row.time('newest') };
}

/** When the newest record of all sources of a flow was written; null unless it is known of each. */
export function newestOf(
  sources: readonly FlowSource[],
  known: readonly NewestRecord[],
): number | null {
  const times = sources.flatMap(({ topic }) => known.find((one) => one.topic === topic)?.at ?? []);
  return times.length > 0 && times.length === sources.length ? Math.max(...times) : null;
}

import { manyText } from '../format/number-text';
import type { RecordReader } from '../live-rows/read-records';

/** A topic of the broker that may be a source. */
export interface SourceTopic {
  readonly topic: string;
  readonly partitions: number;
  /** Null if the server does not count them. */
  readonly records: number | null;
}

/** Reads a row of `topics`. */
export function readSourceTopic(row: RecordReader): SourceTopic {
  return {
    topic: row.text('topic'),
    partitions: row.number('partitions') ?? 0,
    records: row.number('records'),
  };
}

/** What stands beside a topic in the list to choose from. */
export function sizeText({ partitions, records }: SourceTopic): string {
  const places = manyText(partitions, 'partition');
  return records === null ? places : `${manyText(records, 'record')} in ${places}`;
}

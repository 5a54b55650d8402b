import type { RecordReader } from '../../live-rows/read-records';
import { readSourceTopic, type SourceTopic } from '../source-topics';

/** How many topics are listed at once; a search finds the others. */
export const MOST_LISTED = 200;

/** A topic to choose. */
export interface ListedTopic extends SourceTopic {
  /** When its newest record was written, in epoch milliseconds; null if that is not known. */
  readonly newest: number | null;
}

/** Reads a row of `topics`. */
export function readListedTopic(row: RecordReader): ListedTopic {
  return { ...readSourceTopic(row), newest: row.time('newest') };
}

/** The topics whose names have all the words of a search, the ones that begin with it first. */
export function foundTopics<T extends SourceTopic>(topics: readonly T[], search: string): T[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = topics.filter(({ topic }) =>
    words.every((word) => topic.toLowerCase().includes(word)),
  );
  const begins = ({ topic }: T) => topic.toLowerCase().startsWith(words[0] ?? '');
  return [...found.filter(begins), ...found.filter((topic) => !begins(topic))];
}

import { jsonText } from '../format/json-text';
import { bytesText } from '../format/number-text';
import { dateTimeText } from '../format/time-text';
import type { LookHeader, LookRecord } from '../topic-looks/look';
import type { RecordPlace } from './record-place';

/** A record as it is shown. */
export interface RawRecordView {
  /** Null if it has none. */
  readonly key: string | null;
  readonly written: string;
  readonly size: string;
  readonly headers: readonly LookHeader[];
  /** With a line for each value if it is JSON; null for a tombstone. */
  readonly value: string | null;
  /** Whether more of the value is in Kafka. */
  readonly cut: boolean;
}

/** What is shown of a record. */
export function rawRecordView({ at, bytes, key, headers, value, cut }: LookRecord): RawRecordView {
  return {
    key,
    written: at < 0 ? 'no time' : dateTimeText(at),
    size: bytesText(bytes),
    headers,
    value: value === null ? null : (jsonText(value) ?? value),
    cut,
  };
}

/** A record as JSON to copy; its value is the text that is in Kafka. */
export function rawRecordJson(place: RecordPlace, record: LookRecord): string {
  const { at, key, headers, value, bytes, cut } = record;
  const time = at < 0 ? null : new Date(at).toISOString();
  const whole = cut ? { cut, bytes } : {};
  return JSON.stringify({ ...place, time, key, headers, value, ...whole }, null, 2);
}

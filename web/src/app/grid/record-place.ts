import type { FlowInfo } from '../catalogue/flows';
import type { Cell, ColumnInfo, Row } from '../deephaven/decode';
import { TOPIC_COLUMN } from './table-spec';

/** Where a record stands in Kafka; the numbers are texts, so that no digit is lost. */
export interface RecordPlace {
  readonly topic: string;
  readonly partition: string;
  readonly offset: string;
}

/** What a row says of where its record stands. */
export interface RecordOrigin {
  /** Null if the table has no such column. */
  readonly topic: string | null;
  readonly partition: string;
  readonly offset: string;
  /** The generation of the row; null if it is not a view of a flow. */
  readonly generation: Cell;
}

/** Reads from a row of a generation which record it was made of; null if it does not say. */
export function originOf(
  columns: readonly ColumnInfo[],
  cells: Row,
  generation: Cell,
): RecordOrigin | null {
  const places = new Map(columns.map(({ name }, index) => [name, index]));
  const cell = (name: string) => cells[places.get(name) ?? -1] ?? null;
  const partition = wholeText(cell('partition'));
  const offset = wholeText(cell('offset'));
  const topic = cell(TOPIC_COLUMN);
  if (partition === null || offset === null || (places.has(TOPIC_COLUMN) && !topic)) {
    return null;
  }
  return {
    topic: topic === null ? null : String(topic),
    partition,
    offset,
    generation,
  };
}

/**
 * Where the record of a row stands; null if that is not certain. A table without a column for the
 * topic has that of its flow, if the flow has one source and the row is of its live generation.
 */
export function placeOf(
  origin: RecordOrigin | null,
  flow: string | undefined,
  flows: readonly FlowInfo[],
): RecordPlace | null {
  if (!origin) {
    return null;
  }
  const { partition, offset, generation } = origin;
  const topic =
    origin.topic ??
    onlyTopic(
      flows.find((one) => one.flow === flow),
      generation,
    );
  return topic ? { topic, partition, offset } : null;
}

/** Whether two places are the same, or both are none. */
export function samePlace(a: RecordPlace | null, b: RecordPlace | null): boolean {
  return a?.topic === b?.topic && a?.partition === b?.partition && a?.offset === b?.offset;
}

/** A place in words. */
export function placeText({ topic, partition, offset }: RecordPlace): string {
  return `offset ${offset} of partition ${partition} of ${topic}`;
}

function onlyTopic(flow: FlowInfo | undefined, generation: Cell): string | null {
  const [source, ...others] = flow?.sources ?? [];
  return source && others.length === 0 && flow?.generation === generation ? source.topic : null;
}

function wholeText(cell: Cell): string | null {
  const whole = typeof cell === 'bigint' || (typeof cell === 'number' && Number.isInteger(cell));
  return whole && cell >= 0 ? String(cell) : null;
}

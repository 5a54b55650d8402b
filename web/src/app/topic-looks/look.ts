import type { RecordReader } from '../live-rows/read-records';
import { isTable, type Json, type Table } from './json';

/** A header of a record; without a value it is null. */
export interface LookHeader {
  readonly name: string;
  readonly value: string | null;
}

/** A record of a topic as it is; its texts are cut short by the server. */
export interface LookRecord {
  readonly partition: number;
  readonly offset: number;
  /** When it was written, in epoch milliseconds. */
  readonly at: number;
  readonly key: string | null;
  /** Null for a tombstone. */
  readonly value: string | null;
  /** How long the value is in Kafka. */
  readonly bytes: number;
  /** Whether more of the value is in Kafka; known of a record that was asked for alone. */
  readonly cut: boolean;
  readonly headers: readonly LookHeader[];
}

/** What is wrong with a declaration, and where. */
export interface Problem {
  /** Names with dots between them, such as `sources.orders.key`; empty for the flow's name. */
  readonly place: string;
  readonly text: string;
}

/** What the server found in a topic, or says of a declaration. */
export interface Look {
  readonly id: string;
  readonly topic: string;
  /** Why there is no declaration, or not the record that was asked for; empty if there is. */
  readonly problem: string;
  /** Newest first. */
  readonly records: readonly LookRecord[];
  /** The flow that was made of the records, with its `name`; null if none could be. */
  readonly declaration: Table | null;
  /** The flow file. */
  readonly text: string;
  /** How sure the key and the time are, and what was left out. */
  readonly notes: readonly string[];
  /** What was seen of each field. */
  readonly seen: ReadonlyMap<string, string>;
  readonly problems: readonly Problem[];
}

/** Reads a row of `topic_looks`. */
export function readLook(row: RecordReader): Look {
  const declaration = parsed(row.text('declaration'));
  const seen = parsed(row.text('seen'));
  return {
    id: row.text('id'),
    topic: row.text('topic'),
    problem: row.text('problem'),
    records: tables(row.text('records')).map(recordOf),
    declaration: isTable(declaration) ? declaration : null,
    text: row.text('text'),
    notes: list(row.text('notes')).map(String),
    seen: new Map(
      Object.entries(isTable(seen) ? seen : {}).map(([name, said]) => [name, `${said}`]),
    ),
    problems: tables(row.text('problems')).map(problemOf),
  };
}

function recordOf(held: Table): LookRecord {
  return {
    partition: Number(held['partition']),
    offset: Number(held['offset']),
    at: Number(held['at']),
    key: textOf(held['key']),
    value: textOf(held['value']),
    bytes: Number(held['bytes']),
    cut: held['cut'] === true,
    headers: headersOf(held['headers']),
  };
}

/** Headers by name, or as pairs where a name may be there twice. */
function headersOf(held: Json | undefined): LookHeader[] {
  const pairs = Array.isArray(held)
    ? (held as readonly Json[]).filter((pair): pair is readonly Json[] => Array.isArray(pair))
    : Object.entries(isTable(held) ? held : {});
  return pairs.map(([name, value]) => ({ name: textOf(name) ?? '', value: textOf(value) }));
}

function problemOf(held: Table): Problem {
  const said = [held['what'], held['do']].filter((part) => typeof part === 'string' && part !== '');
  return { place: textOf(held['place']) ?? '', text: said.join('; ') };
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function tables(text: string): Table[] {
  return list(text).filter(isTable);
}

function list(text: string): readonly Json[] {
  const held = parsed(text);
  return Array.isArray(held) ? held : [];
}

function parsed(text: string): Json {
  return text === '' ? null : (JSON.parse(text) as Json);
}

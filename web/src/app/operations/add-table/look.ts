import type { RecordReader } from '../../live-rows/read-records';
import { isTable, type Json, type Table } from './json';

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
  readonly headers: readonly { readonly name: string; readonly value: string }[];
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
  /** Why there is no declaration; empty if there is one. */
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
  const headers = held['headers'];
  return {
    partition: Number(held['partition']),
    offset: Number(held['offset']),
    at: Number(held['at']),
    key: textOf(held['key']),
    value: textOf(held['value']),
    bytes: Number(held['bytes']),
    headers: Object.entries(isTable(headers) ? headers : {}).map(([name, value]) => ({
      name,
      value: textOf(value) ?? '',
    })),
  };
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

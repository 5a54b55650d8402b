import type { SourceField } from './flow-specs';
import type { RecordReader } from '../live-rows/read-records';

const FIELDS: readonly SourceField[] = ['usersTopic', 'accountsTopic', 'positionsTopic'];

/** What is live of a flow. */
export interface LiveFlow {
  readonly flow: string;
  readonly generation: number;
  readonly state: string;
  /** The topics by the field of a control message that names them. */
  readonly topics: Readonly<Partial<Record<SourceField, string>>>;
  /** How the sources are joined; empty for a single source. */
  readonly join: string;
  /** When it took over, in epoch milliseconds; null before the first did. */
  readonly since: number | null;
  /** How long the generation before can be gone back to; null if the server does not say. */
  readonly lingerSeconds: number | null;
}

/** Reads a row of `orchestrator_status`. */
export function readLiveFlow(row: RecordReader): LiveFlow {
  const named = FIELDS.filter((field) => row.text(field) !== '');
  return {
    flow: row.text('flow'),
    generation: row.number('generation') ?? 0,
    state: row.text('state'),
    topics: Object.fromEntries(named.map((field) => [field, row.text(field)])),
    join: named.length > 1 ? row.text('joinType') : '',
    since: row.time('lastApplied'),
    lingerSeconds: row.number('lingerSeconds'),
  };
}

/** The topics of a flow with the names of their sources, to show. */
export function sourcesOf(live: LiveFlow): { name: string; topic: string }[] {
  return Object.entries(live.topics).map(([field, topic]) => ({
    name: field.replace('Topic', ''),
    topic,
  }));
}

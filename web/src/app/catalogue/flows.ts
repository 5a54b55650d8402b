import type { RecordReader } from '../live-rows/read-records';

/** A source of a flow and the topic behind it. */
export interface FlowSource {
  readonly name: string;
  readonly topic: string;
}

/** A flow and where it stands. */
export interface FlowInfo {
  readonly flow: string;
  readonly title: string;
  /** The state of its live generation, or of the one that is being built before there is one. */
  readonly state: string;
  /** 0 before the first. */
  readonly generation: number;
  readonly sources: readonly FlowSource[];
  /** Whether it joins sources, so that a swap can say how. */
  readonly joins: boolean;
}

/** One row of `flows`: a source of a flow. */
export interface SourceRow extends FlowSource {
  readonly flow: string;
  readonly title: string;
  readonly state: string;
  readonly generation: number;
}

/** Reads a row of `flows`. */
export function readSource(row: RecordReader): SourceRow {
  return {
    flow: row.text('flow'),
    name: row.text('source'),
    title: row.text('title'),
    topic: row.text('topic'),
    state: row.text('state'),
    generation: row.number('generation') ?? 0,
  };
}

/** The flows as they came, each with its sources in their order. */
export function flowsOf(
  rows: readonly SourceRow[],
  tables: Iterable<{ readonly flow: string; readonly kind: string }>,
): readonly FlowInfo[] {
  const joined = new Set([...tables].filter(({ kind }) => kind === 'join').map(({ flow }) => flow));
  const flows = new Map<string, SourceRow[]>();
  for (const row of rows) {
    flows.set(row.flow, [...(flows.get(row.flow) ?? []), row]);
  }
  return [...flows.values()].map((sources) => {
    const { flow, title, state, generation } = sources[0] as SourceRow;
    return {
      flow,
      title: title || flow,
      state,
      generation,
      sources: sources.map(({ name, topic }) => ({ name, topic })),
      joins: joined.has(flow),
    };
  });
}

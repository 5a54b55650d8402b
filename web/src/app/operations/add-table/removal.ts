import type { RecordReader } from '../../live-rows/read-records';

/** A source of a flow, as the server lists them. */
export interface FlowSource {
  readonly flow: string;
  readonly title: string;
  readonly topic: string;
  readonly state: string;
}

/** A table of a flow. */
export interface FlowTable {
  readonly flow: string;
  readonly table: string;
}

/** What a removal takes away, and what it leaves alone. */
export interface Removable {
  readonly flow: string;
  readonly title: string;
  /** Tables that viewers see and would see no longer. */
  readonly tables: readonly string[];
  /** Topics that are read and stay as they are. */
  readonly topics: readonly string[];
}

/** Reads a row of `flows`. */
export function readFlowSource(row: RecordReader): FlowSource {
  return {
    flow: row.text('flow'),
    title: row.text('title'),
    topic: row.text('topic'),
    state: row.text('state'),
  };
}

/** Reads a row of `catalogue`. */
export function readFlowTable(row: RecordReader): FlowTable {
  return { flow: row.text('flow'), table: row.text('table') };
}

/** The flows that run, by name, each with what its removal would take away. */
export function removablesOf(
  sources: readonly FlowSource[],
  tables: readonly FlowTable[],
): Removable[] {
  const running = sources.filter(({ state }) => state !== 'waiting');
  const flows = [...new Set(running.map(({ flow }) => flow))].sort();
  return flows.map((flow) => {
    const own = running.filter((source) => source.flow === flow);
    return {
      flow,
      title: own[0]?.title ?? flow,
      tables: tables.filter((table) => table.flow === flow).map(({ table }) => table),
      topics: own.map(({ topic }) => topic).filter(Boolean),
    };
  });
}

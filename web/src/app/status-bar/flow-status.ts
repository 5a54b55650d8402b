import type { Cell } from '../deephaven/decode';
import type { Snapshot } from '../deephaven/feed';

/** What the orchestrator says about a flow. */
export interface FlowStatus {
  readonly flow: string;
  readonly generation: number;
  readonly state: string;
  /** Topics and join, for a tooltip. */
  readonly detail: string;
}

/** The table that tells one row per flow. */
export const STATUS_TABLE = 'orchestrator_status';

/** Reads the flows from the rows of the status table. */
export function readFlows({ columns, rows }: Snapshot): FlowStatus[] {
  return rows.map((row) => {
    const cell = (name: string): Cell =>
      row[columns.findIndex((column) => column.name === name)] ?? null;
    const details = ['usersTopic', 'accountsTopic', 'positionsTopic', 'joinType', 'lastApplied'];
    return {
      flow: String(cell('flow')),
      generation: Number(cell('generation')),
      state: String(cell('state')),
      detail: details
        .filter((name) => cell(name) !== null)
        .map((name) => `${name}: ${String(cell(name))}`)
        .join('\n'),
    };
  });
}

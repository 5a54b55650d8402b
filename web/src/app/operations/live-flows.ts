import type { FlowInfo } from '../catalogue/flows';
import type { RecordReader } from '../live-rows/read-records';

/** What `orchestrator_status` says of a flow beside what `flows` does. */
export interface LiveStatus {
  readonly flow: string;
  /** How the sources are joined. */
  readonly join: string;
  /** When it took over, in epoch milliseconds; null before the first did. */
  readonly since: number | null;
  /** How long the generation before can be gone back to; null if the server does not say. */
  readonly lingerSeconds: number | null;
}

/** What is live of a flow. */
export interface LiveFlow extends FlowInfo, Omit<LiveStatus, 'flow'> {}

/** Reads a row of `orchestrator_status`. */
export function readLiveStatus(row: RecordReader): LiveStatus {
  return {
    flow: row.text('flow'),
    join: row.text('joinType'),
    since: row.time('lastApplied'),
    lingerSeconds: row.number('lingerSeconds'),
  };
}

/** What is live of each flow that has a generation; a flow without a join has none. */
export function liveFlows(
  flows: readonly FlowInfo[],
  statuses: readonly LiveStatus[],
): readonly LiveFlow[] {
  return flows
    .filter(({ generation }) => generation > 0)
    .map((flow) => {
      const status = statuses.find((one) => one.flow === flow.flow);
      return {
        ...flow,
        join: flow.joins ? (status?.join ?? '') : '',
        since: status?.since ?? null,
        lingerSeconds: status?.lingerSeconds ?? null,
      };
    });
}

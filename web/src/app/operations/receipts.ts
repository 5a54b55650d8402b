import type { RecordReader } from '../live-rows/read-records';

/** What can become of a generation, in the order in which it happens. */
export const STATES = [
  'building',
  'caught-up',
  'live',
  'lingering',
  'closed',
  'refused',
  'failed',
] as const;

/** A state of a generation. */
export type GenerationState = (typeof STATES)[number];

/** One step in the life of a generation. */
export interface Receipt {
  readonly flow: string;
  /** 0 for a control message that was refused before it became a generation. */
  readonly generation: number;
  readonly state: GenerationState;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly topics: readonly string[];
  readonly join: string;
  readonly reason: string;
  readonly starting: string;
  /** The offset of the control message that asked for it; -1 if the settings did. */
  readonly control: number;
}

/** Reads a row of `generations`. */
export function readReceipt(row: RecordReader): Receipt {
  return {
    flow: row.text('flow'),
    generation: row.number('generation') ?? 0,
    state: row.text('state') as GenerationState,
    at: row.time('at') ?? 0,
    topics: row.text('sources').split(', ').filter(Boolean),
    join: row.text('joinType'),
    reason: row.text('reason'),
    starting: row.text('starting'),
    control: row.number('control') ?? -1,
  };
}

/** Orders receipts by time; those of the same millisecond in the order of their states. */
export function byTime(a: Receipt, b: Receipt): number {
  return a.at - b.at || STATES.indexOf(a.state) - STATES.indexOf(b.state);
}

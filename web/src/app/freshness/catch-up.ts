import type { RecordReader } from '../live-rows/read-records';

/** How far a generation that is being built has come. */
export interface CatchUp {
  readonly flow: string;
  readonly generation: number;
  /** Records read so far. */
  readonly seen: number;
  /** Records to catch up. */
  readonly total: number;
}

/** Reads a row of `progress`. */
export function readCatchUp(row: RecordReader): CatchUp {
  return {
    flow: row.text('flow'),
    generation: row.number('generation') ?? 0,
    seen: row.number('seen') ?? 0,
    total: row.number('total') ?? 0,
  };
}

/** How far a generation has come, if it is being built. */
export function catchUpOf(
  all: readonly CatchUp[],
  flow: string,
  generation: number | null,
): CatchUp | null {
  return all.find((one) => one.flow === flow && one.generation === generation) ?? null;
}

import { countText } from '../format/number-text';
import { ageText } from '../format/time-text';
import type { PartHealth } from './figures';

/** What is known of a flow that tells how current its rows are. */
export interface FlowSigns {
  /** Milliseconds since something new came, and whether that is longer than usual. */
  readonly quietFor: number;
  readonly late: boolean;
  /** Records that have not come yet; null if nobody knows. */
  readonly lag: number | null;
  readonly perSecond: number;
  /** How far the first generation has come, while nothing is live. */
  readonly building: { readonly seen: number; readonly total: number } | null;
  readonly parts: readonly PartHealth[];
}

/** How current the rows of a flow are, and why. */
export interface FlowAge {
  /** `quiet` is a source with nothing new, which is normal; `behind` is not. */
  readonly kind: 'fresh' | 'quiet' | 'behind';
  /** A sentence for the viewer; empty if there is nothing to say. */
  readonly text: string;
}

/** Nothing to say. */
export const FRESH: FlowAge = { kind: 'fresh', text: '' };

const GRAVITY: readonly FlowAge['kind'][] = ['behind', 'quiet', 'fresh'];

/** The flows in the order in which somebody must know of them. */
export function gravestFirst<T extends { readonly age: FlowAge }>(flows: readonly T[]): T[] {
  return [...flows].sort((a, b) => GRAVITY.indexOf(a.age.kind) - GRAVITY.indexOf(b.age.kind));
}

/** A backlog of fewer records is read in no time. */
const BACKLOG = 1_000;
/** Seconds of records that may be under way without being a backlog. */
const UNDER_WAY = 5;

/** How current a flow is: the first reason that is known, the gravest first. */
export function ageOf(signs: FlowSigns): FlowAge {
  const { quietFor, late, lag, perSecond, building, parts } = signs;
  const nothing = `Nothing new for ${ageText(quietFor)}`;
  const behind = (text: string): FlowAge => ({ kind: 'behind', text });
  if (parts.length > 0 && parts.every(({ up }) => !up)) {
    return behind(`${nothing}: no part reports. The broker may be away.`);
  }
  const pipeline = parts.find(({ part }) => part === 'pipeline');
  // Of a pair one is enough.
  const second = parts.find(({ part }) => part === 'second pipeline');
  if (pipeline && !pipeline.up && !second?.up) {
    return behind(`${nothing}: the pipeline is silent. It may be restarting.`);
  }
  if (building) {
    const left = Math.max(0, building.total - building.seen);
    return behind(`Building the first generation: ${countText(left)} records to go.`);
  }
  if (lag !== null && lag > Math.max(BACKLOG, UNDER_WAY * perSecond)) {
    return behind(`Catching up: ${countText(lag)} records to go.`);
  }
  if (!late) {
    return FRESH;
  }
  if (pipeline && /^(restarting|waiting)/.test(pipeline.note)) {
    return behind(`${nothing}: the pipeline says “${pipeline.note}”.`);
  }
  if (lag === null) {
    return behind(`${nothing}, and how much waits at the source is not known.`);
  }
  return lag > 0
    ? behind(`${nothing}, and ${countText(lag)} records wait at the source.`)
    : { kind: 'quiet', text: `No new records at the source for ${ageText(quietFor)}.` };
}

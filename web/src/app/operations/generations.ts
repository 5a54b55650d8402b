import { byTime, type GenerationState, type Receipt } from './receipts';

/** A state that a generation came into. */
export interface Step {
  readonly state: GenerationState;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Milliseconds since the step before; null for the first. */
  readonly after: number | null;
  /** Whether this is where a rollback chose it. */
  readonly rollback: boolean;
}

/** A generation as its receipts tell it, or a control message that never became one. */
export interface Generation {
  /** Tells it from every other one. */
  readonly key: string;
  readonly flow: string;
  /** 0 for a refused message. */
  readonly generation: number;
  readonly control: number;
  readonly state: GenerationState;
  /** When it came into that state. */
  readonly at: number;
  readonly topics: readonly string[];
  readonly join: string;
  readonly starting: string;
  readonly reason: string;
  readonly steps: readonly Step[];
  /** Milliseconds from the start to the first take-over; null before it. */
  readonly took: number | null;
}

/** Joins receipts into generations, newest first. */
export function generationsOf(receipts: readonly Receipt[]): Generation[] {
  const groups = new Map<string, Receipt[]>();
  for (const receipt of receipts) {
    const key = keyOf(receipt);
    groups.set(key, [...(groups.get(key) ?? []), receipt]);
  }
  return [...groups]
    .map(([key, group]) => generationOf(key, group.sort(byTime)))
    .sort((a, b) => startOf(b) - startOf(a) || b.generation - a.generation);
}

/** Whether it is on its way to take over. */
export function isUnderWay({ state }: Generation): boolean {
  return state === 'building' || state === 'caught-up';
}

function keyOf({ flow, generation, control }: Receipt): string {
  return generation === 0 ? `${flow}/message-${control}` : `${flow}/${generation}`;
}

function startOf({ steps }: Generation): number {
  return steps[0]?.at ?? 0;
}

function generationOf(key: string, ordered: readonly Receipt[]): Generation {
  const first = ordered[0] as Receipt;
  const last = ordered.at(-1) as Receipt;
  const steps = ordered.map(({ state, at, control }, index) => ({
    state,
    at,
    after: index === 0 ? null : at - (ordered[index - 1] as Receipt).at,
    // Steps name the message that asked for the generation; those of a rollback name another.
    rollback: state === 'caught-up' && control !== first.control,
  }));
  const live = ordered.find((step) => step.state === 'live' && step.control === first.control);
  return {
    key,
    flow: first.flow,
    generation: first.generation,
    control: first.control,
    state: last.state,
    at: last.at,
    topics: first.topics,
    join: first.join,
    starting: first.starting,
    reason: last.reason,
    steps,
    took: live && first.state === 'building' ? live.at - first.at : null,
  };
}

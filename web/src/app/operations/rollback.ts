import { isUnderWay, type Generation } from './generations';

/** Whether one can go back to an earlier generation. */
export type RollbackOffer =
  | { readonly possible: false; readonly why: string }
  | {
      readonly possible: true;
      readonly generation: number;
      /** Its topics and how they are joined, in words. */
      readonly sources: string;
      /** Whole seconds until it closes, by this clock; null if the linger time is not known. */
      readonly secondsLeft: number | null;
    };

/** What a rollback of a flow would do now. */
export function rollbackOffer(
  generations: readonly Generation[],
  flow: string,
  lingerSeconds: number | null,
  now: number,
): RollbackOffer {
  const ours = generations.filter((generation) => generation.flow === flow);
  if (ours.some(isUnderWay)) {
    return { possible: false, why: 'A newer generation is being built.' };
  }
  // The server goes back to the newest that lingers.
  const [target] = ours
    .filter(({ state }) => state === 'lingering')
    .sort((a, b) => b.generation - a.generation);
  if (!target) {
    return { possible: false, why: 'No earlier generation lingers.' };
  }
  const { generation, topics, join } = target;
  const sources = [...topics, ...(topics.length > 1 ? [`${join} join`] : [])].join(', ');
  const secondsLeft =
    lingerSeconds === null ? null : secondsUntil(target.at + lingerSeconds * 1000, now);
  return { possible: true, generation, sources, secondsLeft };
}

/** Whole seconds until a time, never less than none. */
function secondsUntil(at: number, now: number): number {
  return Math.max(0, Math.ceil((at - now) / 1000));
}

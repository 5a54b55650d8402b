import type { LiveRows } from '../live-rows/live-rows';

/** Why what a card shows is no longer followed; empty while it is. */
export function problemOf(...feeds: readonly LiveRows<unknown>[]): string {
  const [reason] = feeds.flatMap(({ state }) => (state.kind === 'failed' ? [state.reason] : []));
  return reason === undefined ? '' : `${reason} Trying again.`;
}

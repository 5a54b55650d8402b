import type { Totals } from './gold-records';

/** The name under which the sums over all source systems stand. */
export const ALL_SOURCES = 'All';

/** The source systems to choose from; the chosen one is among them even when it has no rows. */
export function sourceOptions(totals: readonly Totals[], chosen: string): readonly string[] {
  const names = new Set([...totals.map(({ source }) => source), chosen]);
  const systems = [...names].filter((name) => name !== '' && name !== ALL_SOURCES);
  return [ALL_SOURCES, ...systems.sort((a, b) => a.localeCompare(b))];
}

/** The sums of the chosen source system; null if it has none. */
export function totalsOf(totals: readonly Totals[], source: string): Totals | null {
  return totals.find((one) => one.source === source) ?? null;
}

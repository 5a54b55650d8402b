/** How close rows stand. */
export type Density = 'compact' | 'normal' | 'comfortable';

/** The height of a row in pixels. */
export const ROW_HEIGHTS: Readonly<Record<Density, number>> = {
  compact: 20,
  normal: 24,
  comfortable: 32,
};

/** What can be chosen, in order. */
export const DENSITIES: readonly { readonly density: Density; readonly label: string }[] = [
  { density: 'compact', label: 'Compact' },
  { density: 'normal', label: 'Normal' },
  { density: 'comfortable', label: 'Comfortable' },
];

/** The density that a kept text means; normal for anything else. */
export function readDensity(text: string | null): Density {
  return DENSITIES.find(({ density }) => density === text)?.density ?? 'normal';
}

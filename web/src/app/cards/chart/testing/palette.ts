import type { Palette } from '../palette';

/** Colours by their names. */
export const PALETTE: Palette = {
  text: 'black',
  muted: 'grey',
  line: 'silver',
  surface: 'white',
  up: 'green',
  down: 'red',
  accent: 'teal',
  font: 'sans-serif',
  series: ['teal', 'blue', 'violet'],
};

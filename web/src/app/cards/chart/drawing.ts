import type { ChartOption } from './echarts';
import type { Palette } from './palette';

/** A chart to draw, in whatever theme and width, and what it says in words. */
export interface Drawing {
  readonly option: (palette: Palette, width: number) => ChartOption;
  /** How many points are drawn. */
  readonly points: number;
  /** The values, for those who cannot see the chart. */
  readonly text: string;
}

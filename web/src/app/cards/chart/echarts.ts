import { BarChart, LineChart, type BarSeriesOption, type LineSeriesOption } from 'echarts/charts';
import {
  GridComponent,
  TitleComponent,
  TooltipComponent,
  type GridComponentOption,
  type TitleComponentOption,
  type TooltipComponentOption,
} from 'echarts/components';
import { init, use, type ComposeOption } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';

// Only what the pages draw, so that the rest is not part of the bundle.
use([BarChart, LineChart, GridComponent, TitleComponent, TooltipComponent, CanvasRenderer]);

/** A chart as data. */
export type ChartOption = ComposeOption<
  | BarSeriesOption
  | LineSeriesOption
  | GridComponentOption
  | TitleComponentOption
  | TooltipComponentOption
>;

/** What a page needs of a chart. */
export interface Chart {
  setOption(option: ChartOption, how: { replaceMerge: string[] }): void;
  resize(): void;
  dispose(): void;
}

/** Makes a chart on an element, which must have a size. */
export function initChart(element: HTMLElement): Chart {
  return init(element, null, { renderer: 'canvas' });
}

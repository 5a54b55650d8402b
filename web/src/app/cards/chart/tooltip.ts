import type { ChartOption } from './echarts';
import type { Palette } from './palette';

/** What the pointer is on. */
export interface Hit {
  /** The index of the value in its series. */
  readonly index: number;
  readonly series: number;
}

/**
 * A tooltip with a text of our own. It is drawn on the canvas: nothing in it can become markup.
 */
export function tooltip(
  { text, line, surface, font }: Palette,
  trigger: 'item' | 'axis',
  write: (hits: readonly Hit[]) => string,
): ChartOption['tooltip'] {
  return {
    trigger,
    renderMode: 'richText',
    backgroundColor: surface,
    borderColor: line,
    textStyle: { color: text, fontFamily: font, fontSize: 12 },
    transitionDuration: 0,
    axisPointer: { type: 'line', lineStyle: { color: line }, animation: false },
    formatter: (at) =>
      write(
        (Array.isArray(at) ? at : [at]).map(({ dataIndex, seriesIndex }) => ({
          index: dataIndex,
          series: seriesIndex ?? 0,
        })),
      ),
  };
}

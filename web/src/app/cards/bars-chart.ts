import { axisText } from '../format/number-text';
import type { Bar } from './bars';
import type { Drawing } from './chart/drawing';
import type { ChartOption } from './chart/echarts';
import type { Palette } from './chart/palette';
import { plainText } from './chart/plain-text';
import { tooltip } from './chart/tooltip';

/** Horizontal bars, the highest at the top; of more than there is room for, those between are not there. */
export function barsDrawing(title: string, bars: readonly Bar[], total: number): Drawing {
  const cut = total > bars.length;
  return {
    option: (palette) => barsOption(bars, palette),
    points: bars.length,
    text: barsText(cut ? `${title}, the highest and the lowest of ${total}` : title, bars),
  };
}

/** The bars of a chart. */
export function barsOption(bars: readonly Bar[], palette: Palette): ChartOption {
  const colourOf = ({ colour }: Bar) =>
    typeof colour === 'string'
      ? palette[colour]
      : (palette.series[colour % palette.series.length] ?? palette.accent);
  return {
    animation: false,
    textStyle: { fontFamily: palette.font },
    grid: { id: 'grid', left: 104, right: 14, top: 6, bottom: 22 },
    tooltip: tooltip(palette, 'item', (hit) => barText(bars[hit[0]?.index ?? -1])),
    xAxis: {
      id: 'values',
      type: 'value',
      splitNumber: 4,
      // Room for the numbers beside the longest bars.
      boundaryGap: ['14%', '14%'],
      axisLabel: { color: palette.muted, fontSize: 11, formatter: axisText, hideOverlap: true },
      splitLine: { lineStyle: { color: palette.line } },
    },
    yAxis: {
      id: 'names',
      type: 'category',
      inverse: true,
      data: bars.map(({ name }) => plainText(name)),
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: {
        color: palette.text,
        fontSize: 11,
        width: 92,
        overflow: 'truncate',
        interval: 0,
        hideOverlap: true,
      },
    },
    series: {
      id: 'bars',
      type: 'bar',
      barCategoryGap: '28%',
      data: bars.map((bar) => ({
        value: bar.value,
        itemStyle: { color: colourOf(bar) },
        label: {
          show: true,
          position: bar.value < 0 ? 'left' : 'right',
          formatter: () => bar.text,
          color: colourOf(bar),
          fontSize: 11,
        },
      })),
    },
  };
}

/** The values in words. */
export function barsText(title: string, bars: readonly Bar[]): string {
  const list = bars.map(({ name, text }) => `${plainText(name)} ${text}`).join(', ');
  return `${title}. ${list || 'None'}.`;
}

function barText(bar: Bar | undefined): string {
  return bar ? [bar.name, bar.text, ...bar.more].map((text) => plainText(text, 60)).join('\n') : '';
}

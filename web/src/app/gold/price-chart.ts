import type { Drawing } from '../charts/drawing';
import type { ChartOption } from '../charts/echarts';
import type { Palette } from '../charts/palette';
import { plainText } from '../charts/plain-text';
import { percentText, priceText, signOf } from '../live-table/number-text';
import { minuteText, secondText, tooltip } from './chart-parts';
import { lastOf, type PriceLine } from './price-line';

/** Live prices, each symbol with an axis of its own: one axis would make most of them flat. */
export function priceDrawing(lines: readonly PriceLine[]): Drawing {
  return {
    option: (palette) => priceOption(lines, palette),
    points: lines.reduce((sum, { points }) => sum + points.length, 0),
    text: priceChartText(lines),
  };
}

/** The lines side by side, in two rows from four on. */
export function priceOption(lines: readonly PriceLine[], palette: Palette): ChartOption {
  const cells = cellsOf(lines.length);
  return {
    animation: false,
    textStyle: { fontFamily: palette.font },
    tooltip: tooltip(palette, 'axis', ([hit]) => hitText(lines, hit)),
    title: lines.map((line, n) => ({
      id: `title-${n}`,
      text: headText(line),
      left: `${cells[n]?.left ?? 0}%`,
      top: `${cells[n]?.top ?? 0}%`,
      padding: [6, 0, 0, 10],
      textStyle: { color: colourOf(line, palette, palette.text), fontSize: 12, fontWeight: 600 },
    })),
    grid: lines.map((_, n) => gridOf(n, cells[n])),
    xAxis: lines.map((_, n) => timeAxis(n, palette)),
    yAxis: lines.map((_, n) => priceAxis(n, palette)),
    series: lines.map((line, n) => seriesOf(line, n, palette)),
  };
}

/** The prices in words. */
export function priceChartText(lines: readonly PriceLine[]): string {
  const texts = lines.map((line) => {
    const last = lastOf(line);
    return `${plainText(line.symbol)} ${last ? lastText(last) : 'has no prices'}`;
  });
  return `Prices of the last 15 minutes. ${texts.join('; ') || 'None chosen'}.`;
}

interface CellPlace {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Where each of so many lines stands, in per cent. */
export function cellsOf(count: number): readonly CellPlace[] {
  const rows = count > 3 ? 2 : 1;
  const columns = Math.max(1, Math.ceil(count / rows));
  const [width, height] = [100 / columns, 100 / rows];
  return Array.from({ length: count }, (_, n) => ({
    left: (n % columns) * width,
    top: Math.floor(n / columns) * height,
    width,
    height,
  }));
}

function gridOf(n: number, cell: CellPlace = { left: 0, top: 0, width: 100, height: 100 }) {
  const { left, top, width, height } = cell;
  // A share of the room for the title above; prices and times stand inside of what is left.
  const title = height < 100 ? 0.22 : 0.14;
  return {
    id: `grid-${n}`,
    left: `${left + 0.02 * width}%`,
    width: `${0.94 * width}%`,
    top: `${top + title * height}%`,
    height: `${(0.98 - title) * height}%`,
    outerBoundsMode: 'same' as const,
    outerBoundsContain: 'axisLabel' as const,
  };
}

function timeAxis(n: number, { muted, line }: Palette) {
  return {
    id: `time-${n}`,
    gridIndex: n,
    type: 'time' as const,
    splitNumber: 3,
    // The labels say minutes.
    minInterval: 60_000,
    axisLine: { lineStyle: { color: line } },
    axisTick: { show: false },
    axisLabel: { color: muted, fontSize: 10, hideOverlap: true, formatter: minuteText },
    splitLine: { show: false },
  };
}

function priceAxis(n: number, { muted, line }: Palette) {
  return {
    id: `price-${n}`,
    gridIndex: n,
    type: 'value' as const,
    scale: true,
    splitNumber: 3,
    axisLabel: {
      color: muted,
      fontSize: 10,
      hideOverlap: true,
      formatter: priceText,
    },
    splitLine: { lineStyle: { color: line } },
  };
}

function seriesOf(line: PriceLine, n: number, palette: Palette) {
  const color = colourOf(line, palette, palette.accent);
  return {
    id: `line-${n}`,
    name: plainText(line.symbol),
    type: 'line' as const,
    xAxisIndex: n,
    yAxisIndex: n,
    showSymbol: line.points.length === 1,
    symbol: 'circle',
    lineStyle: { color, width: 1.6 },
    itemStyle: { color },
    areaStyle: { color, opacity: 0.08, origin: 'start' as const },
    data: line.points.map(({ at, value }) => [at, value]),
  };
}

function colourOf(line: PriceLine, palette: Palette, flat: string): string {
  const sign = signOf(lastOf(line)?.change ?? null);
  return sign ? palette[sign] : flat;
}

function headText(line: PriceLine): string {
  const last = lastOf(line);
  return `${plainText(line.symbol, 14)}  ${last ? lastText(last) : 'no prices'}`;
}

function lastText({ price, change }: { price: number; change: number }): string {
  return `${priceText(price)}  ${percentText(change)}`;
}

function hitText(
  lines: readonly PriceLine[],
  hit: { readonly index: number; readonly series: number } | undefined,
): string {
  const line = hit && lines[hit.series];
  const point = line?.points[hit?.index ?? -1];
  return line && point
    ? `${plainText(line.symbol)}\n${priceText(point.value)} at ${secondText(point.at)}`
    : '';
}

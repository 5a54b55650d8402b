import { percentText, signOf } from '../format/number-text';
import { minuteText, secondText } from '../format/time-text';
import type { Drawing } from './chart/drawing';
import type { ChartOption } from './chart/echarts';
import type { Palette } from './chart/palette';
import { plainText } from './chart/plain-text';
import { tooltip } from './chart/tooltip';
import { lastOf, type Line } from './line-points';

/** The least room for a name, a value and its change above a line, in pixels. */
const NARROWEST = 160;

/** How the values of lines are written. */
type Write = (value: number) => string;

/** Lines over time, each with an axis of its own: one axis would make most of them flat. */
export function linesDrawing(title: string, lines: readonly Line[], write: Write): Drawing {
  return {
    option: (palette, width) => linesOption(lines, palette, write, width),
    points: lines.reduce((sum, { points }) => sum + points.length, 0),
    text: linesText(title, lines, write),
  };
}

/** The lines side by side, in two rows from four on, and in more where it is narrow. */
export function linesOption(
  lines: readonly Line[],
  palette: Palette,
  write: Write,
  width: number,
): ChartOption {
  const cells = cellsOf(lines.length, width);
  return {
    animation: false,
    textStyle: { fontFamily: palette.font },
    tooltip: tooltip(palette, 'axis', ([hit]) => hitText(lines, hit, write)),
    title: lines.map((line, n) => ({
      id: `title-${n}`,
      text: headText(line, write),
      left: `${cells[n]?.left ?? 0}%`,
      top: `${cells[n]?.top ?? 0}%`,
      padding: [6, 0, 0, 10],
      textStyle: { color: colourOf(line, palette, palette.text), fontSize: 12, fontWeight: 600 },
    })),
    grid: lines.map((_, n) => gridOf(n, cells[n])),
    xAxis: lines.map((_, n) => timeAxis(n, palette)),
    yAxis: lines.map((_, n) => valueAxis(n, palette, write)),
    series: lines.map((line, n) => seriesOf(line, n, palette)),
  };
}

/** The lines in words. */
export function linesText(title: string, lines: readonly Line[], write: Write): string {
  const texts = lines.map((line) => {
    const last = lastOf(line);
    const name = line.name === '' ? [] : [plainText(line.name)];
    return [...name, last ? lastText(last, write) : 'has no values'].join(' ');
  });
  return `${title}. ${texts.join('; ') || 'None chosen'}.`;
}

interface CellPlace {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Where each of so many lines stands, in per cent of a room that is so many pixels wide. */
export function cellsOf(count: number, room: number): readonly CellPlace[] {
  const most = Math.max(1, Math.floor(room / NARROWEST));
  const columns = Math.max(1, Math.min(most, Math.ceil(count / (count > 3 ? 2 : 1))));
  const [width, height] = [100 / columns, 100 / Math.ceil(count / columns)];
  return Array.from({ length: count }, (_, n) => ({
    left: (n % columns) * width,
    top: Math.floor(n / columns) * height,
    width,
    height,
  }));
}

function gridOf(n: number, cell: CellPlace = { left: 0, top: 0, width: 100, height: 100 }) {
  const { left, top, width, height } = cell;
  // A share of the room for the title above; values and times stand inside of what is left.
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

function valueAxis(n: number, { muted, line }: Palette, write: Write) {
  return {
    id: `value-${n}`,
    gridIndex: n,
    type: 'value' as const,
    scale: true,
    splitNumber: 3,
    axisLabel: {
      color: muted,
      fontSize: 10,
      hideOverlap: true,
      formatter: write,
    },
    splitLine: { lineStyle: { color: line } },
  };
}

function seriesOf(line: Line, n: number, palette: Palette) {
  const color = colourOf(line, palette, palette.accent);
  return {
    id: `line-${n}`,
    name: plainText(line.name),
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

function colourOf(line: Line, palette: Palette, flat: string): string {
  const sign = signOf(lastOf(line)?.change ?? null);
  return sign ? palette[sign] : flat;
}

function headText(line: Line, write: Write): string {
  const last = lastOf(line);
  return `${plainText(line.name, 14)}  ${last ? lastText(last, write) : 'no values'}`.trim();
}

function lastText({ value, change }: { value: number; change: number }, write: Write): string {
  return `${write(value)}  ${percentText(change)}`;
}

function hitText(
  lines: readonly Line[],
  hit: { readonly index: number; readonly series: number } | undefined,
  write: Write,
): string {
  const line = hit && lines[hit.series];
  const point = line?.points[hit?.index ?? -1];
  if (!line || !point) {
    return '';
  }
  const text = `${write(point.value)} at ${secondText(point.at)}`;
  return line.name === '' ? text : `${plainText(line.name)}\n${text}`;
}

import { describe, expect, it } from 'vitest';
import { priceText } from '../format/number-text';
import { PALETTE } from './chart/testing/palette';
import type { Line } from './line-points';
import { cellsOf, linesDrawing, linesOption, linesText } from './lines-chart';

const line = (name: string, ...values: number[]): Line => ({
  name,
  points: values.map((value, n) => ({ at: new Date(2026, 4, 1, 12, 0, n * 5).getTime(), value })),
});

interface Lines {
  title: { id: string; text: string; textStyle: { color: string } }[];
  grid: { id: string }[];
  xAxis: { gridIndex: number }[];
  yAxis: { gridIndex: number; scale: boolean }[];
  series: { xAxisIndex: number; yAxisIndex: number; data: number[][]; lineStyle: object }[];
  tooltip: { renderMode: string; formatter: (at: unknown) => string };
}

const option = (...lines: Line[]) =>
  linesOption(lines, PALETTE, priceText, 600) as unknown as Lines;

describe('linesOption', () => {
  it('gives each line axes of its own', () => {
    const { grid, xAxis, yAxis, series } = option(line('A', 10, 11), line('B', 4000, 3900));
    expect(grid.map(({ id }) => id)).toEqual(['grid-0', 'grid-1']);
    expect([...xAxis, ...yAxis].map(({ gridIndex }) => gridIndex)).toEqual([0, 1, 0, 1]);
    expect(series.map((one) => [one.xAxisIndex, one.yAxisIndex])).toEqual([
      [0, 0],
      [1, 1],
    ]);
    expect(series[0]!.data.map(([, value]) => value)).toEqual([10, 11]);
  });

  it('writes value and change above each, coloured by where it went', () => {
    const { title, series } = option(
      line('A', 10, 11),
      line('B', 40, 39),
      line('C', 5, 5),
      line('D'),
    );
    expect(title.map(({ text, textStyle }) => [text, textStyle.color])).toEqual([
      ['A  11.00  +10.00 %', 'green'],
      ['B  39.00  −2.50 %', 'red'],
      ['C  5.0000  0.00 %', 'black'],
      ['D  no values', 'black'],
    ]);
    expect(series.map(({ lineStyle }) => lineStyle)).toMatchObject([
      { color: 'green' },
      { color: 'red' },
      { color: 'teal' },
      { color: 'teal' },
    ]);
  });

  it('shows hostile names as text, never as markup', () => {
    const { tooltip } = option(line('<img src=x>', 10, 11));
    expect(tooltip.renderMode).toBe('richText');
    expect(tooltip.formatter([{ dataIndex: 1, seriesIndex: 0 }])).toBe(
      '<img src=x>\n11.00 at 12:00:05',
    );
    expect(tooltip.formatter([])).toBe('');
  });
});

describe('linesDrawing', () => {
  it('counts the points of all lines and says the values', () => {
    const drawing = linesDrawing('Prices', [line('A', 10, 11), line('B')], priceText);
    expect(drawing.points).toBe(2);
    expect(drawing.text).toBe('Prices. A 11.00  +10.00 %; B has no values.');
    expect(linesText('Prices', [], priceText)).toBe('Prices. None chosen.');
  });

  it('needs no name for a line that is the only one', () => {
    expect(linesText('Load', [line('', 10, 11)], priceText)).toBe('Load. 11.00  +10.00 %.');
    expect(option(line('', 10, 11)).title[0]!.text).toBe('11.00  +10.00 %');
  });
});

describe('cellsOf', () => {
  it('puts up to three side by side, more into two rows', () => {
    expect(cellsOf(0, 600)).toEqual([]);
    expect(cellsOf(3, 600).map(({ top }) => top)).toEqual([0, 0, 0]);
    expect(cellsOf(5, 600).map(({ left, top }) => [Math.round(left), top])).toEqual([
      [0, 0],
      [33, 0],
      [67, 0],
      [0, 50],
      [33, 50],
    ]);
  });

  it('puts fewer side by side where their titles would run into each other', () => {
    expect(cellsOf(3, 380).map(({ left, top }) => [left, top])).toEqual([
      [0, 0],
      [50, 0],
      [0, 50],
    ]);
    expect(cellsOf(2, 100).map(({ left, top }) => [left, top])).toEqual([
      [0, 0],
      [0, 50],
    ]);
  });
});

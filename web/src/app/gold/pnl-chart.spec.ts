import { describe, expect, it } from 'vitest';
import { PALETTE } from '../charts/testing/palette';
import type { PnlGroup } from './gold-records';
import { axisText, pnlDrawing, pnlOption, pnlText } from './pnl-chart';

const HOSTILE = '<img src=x onerror=alert(1)>';
const group = (name: string, pnl: number): PnlGroup => ({
  name,
  pnl,
  mtm: 5,
  positions: 2,
  outcome: pnl < 0 ? 'Loss' : 'Gain',
});

interface Bars {
  yAxis: { data: string[]; inverse: boolean };
  series: { data: { value: number; itemStyle: { color: string }; label: Label }[] };
  tooltip: { renderMode: string; formatter: (at: unknown) => string };
}

interface Label {
  position: string;
  formatter: () => string;
}

const option = (groups: PnlGroup[]) => pnlOption(groups, PALETTE) as unknown as Bars;

describe('pnlDrawing', () => {
  it('draws the best and the worst when there are more than there is room for', () => {
    const groups = Array.from({ length: 25 }, (_, n) => group(`desk ${n}`, n - 20));
    const { option, points, text } = pnlDrawing('P&L', groups);
    const drawn = (option(PALETTE) as unknown as Bars).yAxis.data;
    expect(points).toBe(20);
    expect([drawn[0], drawn[9], drawn[10], drawn[19]]).toEqual([
      'desk 24',
      'desk 15',
      'desk 9',
      'desk 0',
    ]);
    expect(text).toContain('the best and the worst of 25');
  });
});

describe('axisText', () => {
  it.each([
    [0, '0'],
    [0.5, '0.5'],
    [100, '100'],
    [1000, '1K'],
    [1500, '1.5K'],
    [10_000, '10K'],
    [100_000, '100K'],
    [250_000, '250K'],
    [-150_000, '−150K'],
    [500_000_000, '500M'],
  ])('writes %d as %s', (value, text) => {
    expect(axisText(value)).toBe(text);
  });
});

describe('pnlOption', () => {
  it('draws gains green and losses red, each with its value beside the bar', () => {
    const { series, yAxis } = option([group('A', 1_500_000), group('B', -20)]);
    expect(yAxis).toMatchObject({ data: ['A', 'B'], inverse: true });
    expect(series.data.map(({ value, itemStyle }) => [value, itemStyle.color])).toEqual([
      [1_500_000, 'green'],
      [-20, 'red'],
    ]);
    expect(series.data.map(({ label }) => [label.position, label.formatter()])).toEqual([
      ['right', '+1.50M'],
      ['left', '−20.00'],
    ]);
  });

  it('shows hostile names as text, never as markup', () => {
    const { tooltip } = option([group(HOSTILE, 1)]);
    expect(tooltip.renderMode).toBe('richText');
    expect(tooltip.formatter({ dataIndex: 0, seriesIndex: 0 })).toBe(
      `${HOSTILE}\nGain +1.00\nMTM 5.00\n2 positions`,
    );
    expect(tooltip.formatter({ dataIndex: 9, seriesIndex: 0 })).toBe('');
  });
});

describe('pnlDrawing', () => {
  it('puts the best first, counts the bars and says the values', () => {
    const drawing = pnlDrawing('P&L', [group('B', -20), group('A', 5)]);
    expect((drawing.option(PALETTE) as unknown as Bars).yAxis.data).toEqual(['A', 'B']);
    expect(drawing.points).toBe(2);
    expect(drawing.text).toBe('P&L. Gain: A +5.00. Loss: B −20.00.');
  });

  it('says so when there are none', () => {
    expect(pnlText('P&L', [])).toBe('P&L. Gain: none. Loss: none.');
  });
});

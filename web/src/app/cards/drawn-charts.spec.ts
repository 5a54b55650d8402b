import { BarChart, LineChart } from 'echarts/charts';
import { GridComponent, TitleComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { describe, expect, it, vi } from 'vitest';
import { priceText } from '../format/number-text';
import { barsOf } from './bars';
import { barsDrawing } from './bars-chart';
import type { Drawing } from './chart/drawing';
import { PALETTE } from './chart/testing/palette';
import { linesDrawing } from './lines-chart';
import { BARS, look, table } from './testing/tables';

const HOSTILE = '<img src=x>';
const PARTS = ['grid', 'xAxis', 'yAxis', 'title', 'series'];

use([BarChart, LineChart, GridComponent, TitleComponent, TooltipComponent, SVGRenderer]);

/** Draws one after the other in place, as the page does, and gives the last picture. */
function draw(...drawings: Drawing[]): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: 600, height: 400 });
  drawings.forEach(({ option }) => chart.setOption(option(PALETTE, 600), { replaceMerge: PARTS }));
  const picture = chart.renderToSVGString();
  chart.dispose();
  return picture;
}

const SUMS = table([look('amount'), look('shop', { type: 'string' })]);
const bars = (...names: string[]) => {
  const rows = names.map((shop, n) => ({ shop, amount: 10 - n }));
  return barsDrawing('Sums', barsOf(BARS, SUMS, rows), rows.length);
};
const lines = (...names: string[]) =>
  linesDrawing(
    'Prices',
    names.map((name) => ({
      name,
      points: [1, 2, 3].map((n) => ({ at: n * 5_000, value: n })),
    })),
    priceText,
  );

describe('The charts, drawn', () => {
  it('follow bars and lines that come and go, without a complaint', () => {
    const warn = vi.spyOn(console, 'warn');
    const error = vi.spyOn(console, 'error');
    expect(draw(bars('A'), bars('A', 'B'), bars('B'))).not.toContain('>A<');
    expect(draw(lines(), lines('A', 'B', 'C', 'D'), lines('D'))).not.toContain('>A ');
    expect(draw(bars(), lines())).toContain('<svg');
    expect(warn).not.toHaveBeenCalled();
    expect(error).not.toHaveBeenCalled();
  });

  it('show markup in names as text', () => {
    for (const picture of [draw(bars(HOSTILE)), draw(lines(HOSTILE))]) {
      expect(picture).toContain('&lt;img src=x&gt;');
      expect(picture).not.toContain('<img');
    }
  });
});

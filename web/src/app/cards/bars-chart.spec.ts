import { describe, expect, it } from 'vitest';
import { barColumns, barsOf, barsQuery } from './bars';
import { barsDrawing, barsOption, barsText } from './bars-chart';
import { PALETTE } from './chart/testing/palette';
import { BARS, look, table } from './testing/tables';

const HOSTILE = '<img src=x onerror=alert(1)>';
const SUMS = table([
  look('amount', { format: 'signed', tone: 'sign' }),
  look('shop', { type: 'string' }),
  look('orders', { type: 'long' }),
  look('region', { type: 'string' }),
  look('size'),
]);
const CARD = { ...BARS, detail: '{orders} orders' };
const row = (shop: string, amount: number | null, region = 'north') => ({
  shop,
  amount,
  region,
  size: amount,
  orders: 2,
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

const option = (rows: ReturnType<typeof row>[], card = CARD) =>
  barsOption(barsOf(card, SUMS, rows), PALETTE) as unknown as Bars;
const colours = ({ series }: Bars) => series.data.map(({ itemStyle }) => itemStyle.color);

describe('barsOf', () => {
  it('puts the highest first and leaves out what has no value', () => {
    const bars = barsOf(CARD, SUMS, [row('B', -20), row('none', null), row('A', 5)]);
    expect(bars.map(({ name, text, more }) => [name, text, more])).toEqual([
      ['A', '+5.00', ['2 orders']],
      ['B', '−20.00', ['2 orders']],
    ]);
    expect(barColumns(CARD)).toEqual(['amount', 'shop', '', 'orders']);
  });
});

describe('barsQuery', () => {
  const filters = (rollup: string, value = 'All') =>
    barsQuery(CARD, { ...SUMS, rollup }, { column: 'shop', value }, 'asc', 10).filters;
  const filled = { column: 'amount', op: 'filled' };

  it('leaves out what has no value, which would be the lowest', () => {
    expect(barsQuery(CARD, SUMS, { column: '', value: 'All' }, 'asc', 10)).toMatchObject({
      count: 10,
      sort: [{ column: 'amount', direction: 'asc' }],
      filters: [filled],
    });
  });

  it('has no bar of the sum of all others beside them', () => {
    expect(filters('shop')).toEqual([{ column: 'shop', op: 'isNot', text: 'All' }, filled]);
    expect(filters('shop', 'north')).toEqual([{ column: 'shop', op: 'is', text: 'north' }, filled]);
    expect(filters('region')).toContainEqual({ column: 'region', op: 'is', text: 'All' });
  });
});

describe('barsOption', () => {
  it('draws what is above zero green and what is below it red, each with its value beside it', () => {
    const drawn = option([row('A', 1_500_000), row('B', -20)]);
    expect(drawn.yAxis).toMatchObject({ data: ['A', 'B'], inverse: true });
    expect(colours(drawn)).toEqual(['green', 'red']);
    expect(drawn.series.data.map(({ label }) => [label.position, label.formatter()])).toEqual([
      ['right', '+1.50M'],
      ['left', '−20.00'],
    ]);
  });

  it('has one colour where a sign means nothing, and one for each value of a column', () => {
    expect(colours(option([row('A', 5), row('B', 3)], { ...CARD, x: 'size' }))).toEqual([
      'teal',
      'teal',
    ]);
    const rows = [row('A', 5, 'south'), row('B', 3, 'north'), row('C', 1, 'south')];
    const byRegion = colours(option(rows, { ...CARD, colour: 'region' }));
    expect(byRegion).toEqual([PALETTE.series[1], PALETTE.series[0], PALETTE.series[1]]);
  });

  it('shows hostile names as text, never as markup', () => {
    const { tooltip } = option([row(HOSTILE, 1)]);
    expect(tooltip.renderMode).toBe('richText');
    expect(tooltip.formatter({ dataIndex: 0, seriesIndex: 0 })).toBe(`${HOSTILE}\n+1.00\n2 orders`);
    expect(tooltip.formatter({ dataIndex: 9, seriesIndex: 0 })).toBe('');
  });
});

describe('barsDrawing', () => {
  it('counts the bars and says the values', () => {
    const bars = barsOf(CARD, SUMS, [row('B', -20), row('A', 5)]);
    const drawing = barsDrawing('P&L', bars, 2);
    expect(drawing.points).toBe(2);
    expect(drawing.text).toBe('P&L. A +5.00, B −20.00.');
    expect(barsDrawing('P&L', bars, 25).text).toContain('P&L, the highest and the lowest of 25.');
    expect(barsText('P&L', [])).toBe('P&L. None.');
  });
});

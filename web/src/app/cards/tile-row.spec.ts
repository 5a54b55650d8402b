import { describe, expect, it } from 'vitest';
import type { TileCard } from '../catalogue/cards';
import { NO_ROWS, type LiveRows } from '../live-rows/live-rows';
import type { Cells } from '../live-rows/read-records';
import { look, table, TILE } from './testing/tables';
import { missingNote, tileQuery, tileRow } from './tile-row';

const COLUMNS = [
  look('channel', { type: 'string', label: 'Channel' }),
  look('revenue', { combine: 'sum' }),
  look('orders', { type: 'long', combine: 'sum' }),
  look('least', { combine: 'min' }),
  look('most', { combine: 'max' }),
  look('average'),
  look('now', { type: 'time' }),
];
const RECENT = table(COLUMNS, { key: ['channel'] });
const SUMMED = table(COLUMNS, { key: ['channel'], rollup: 'channel' });
const REVENUE = { ...TILE, value: 'revenue', detail: '{orders} of {least} to {most}' };
const AVERAGE = { ...TILE, value: 'average' };
const ALL = { column: 'channel', value: 'All' };
const WEB = { column: 'channel', value: 'web' };

const live = (rows: readonly Cells[], total = rows.length): LiveRows<Cells> => ({
  ...NO_ROWS,
  rows,
  total,
  known: true,
  state: { kind: 'live' },
});
const row = (revenue: number | null, orders: number, now = 5) => ({
  revenue,
  orders,
  least: orders,
  most: orders,
  now,
});
const figures = (...rows: Cells[]) => tileRow(REVENUE, RECENT, live(rows), 'now');

describe('tileQuery', () => {
  it('asks the server for the row of the choice, and for no others', () => {
    const is = (text: string) => [{ column: 'channel', op: 'is', text }];
    expect(tileQuery(AVERAGE, SUMMED, ALL, '')).toMatchObject({ count: 1, filters: is('All') });
    expect(tileQuery(AVERAGE, SUMMED, WEB, 'now')).toMatchObject({
      count: 1,
      filters: is('web'),
      columns: ['now', 'average'],
    });
  });

  it('asks for all rows where they can be put together', () => {
    expect(tileQuery(REVENUE, RECENT, ALL, '')).toMatchObject({ count: 10_000, filters: [] });
    expect(tileQuery({ ...REVENUE, down: 'average' }, RECENT, ALL, '').count).toBe(1);
  });
});

describe('tileRow', () => {
  it('puts rows together, each column in its way, and follows the newest clock', () => {
    expect(figures(row(10, 3, 7), row(32.5, 4), row(null, 2))).toEqual({
      revenue: 42.5,
      orders: 9,
      least: 2,
      most: 4,
      now: 7,
    });
    expect(figures(row(null, 1), row(null, 2))).toMatchObject({ revenue: null, orders: 3 });
  });

  it('is the one row as it is, or none', () => {
    expect(figures(row(10, 3))).toEqual(row(10, 3));
    expect(figures()).toBeNull();
  });

  it('is none rather than one of several', () => {
    expect(tileRow(AVERAGE, RECENT, live([{ average: 1 }], 2), '')).toBeNull();
    expect(tileRow(REVENUE, RECENT, live([row(1, 1)], 20_000), '')).toBeNull();
  });
});

describe('missingNote', () => {
  const note = (rows: LiveRows<Cells>, card: TileCard = AVERAGE, choice = ALL) =>
    missingNote(card, RECENT, rows, choice);

  it('says why there is no figure', () => {
    expect(note(NO_ROWS)).toBe('Loading…');
    expect(note(live([]))).toBe('No rows now');
    expect(note(live([]), { ...AVERAGE, empty: 'No orders' })).toBe('No orders');
    expect(note(live([{}], 2))).toBe('Choose one Channel');
    expect(note(live([{}], 2), AVERAGE, WEB)).toBe('Several rows have a value each');
    const many = note(live([{}], 20_000), REVENUE);
    expect(many).toBe('More than 10,000 rows are too many to add up');
  });
});

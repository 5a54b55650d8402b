import { describe, expect, it } from 'vitest';
import {
  busiestQuery,
  moversQuery,
  ofSource,
  pnlQuery,
  pricesQuery,
  sourceFilters,
  symbolsQuery,
  topPricesQuery,
  totalsQuery,
  trendQuery,
} from './gold-queries';

const HOSTILE = '` || true || `';

describe('The queries of the page', () => {
  it('all belong to the positions flow, so that they change generation together', () => {
    const all = [
      totalsQuery(),
      trendQuery('All'),
      pnlQuery('instrument', 'All'),
      moversQuery('up', 'All'),
      moversQuery('down', 'X'),
      topPricesQuery('All'),
      pricesQuery('A', 'All'),
      busiestQuery('All'),
      symbolsQuery('', 'All'),
    ];
    expect(new Set(all.map(({ together }) => together))).toEqual(new Set(['positions']));
    expect(new Set(all.map(({ interval }) => interval))).toEqual(new Set([250]));
  });

  it('read the sums where there are some, also those over all systems', () => {
    const filters = [{ column: 'sourceSystem', op: 'is', text: 'All' }];
    expect(trendQuery('All').filters).toEqual(filters);
    expect(pnlQuery('allotment', 'All')).toMatchObject({ table: 'pnl_by_allotment', filters });
    expect(busiestQuery('All').filters).toEqual(filters);
    expect(busiestQuery('X').filters).toEqual(ofSource('X'));
  });

  it('take the tables over all systems, or filter those by system', () => {
    expect(sourceFilters('All')).toEqual([]);
    expect(topPricesQuery('All')).toMatchObject({ table: 'top_by_px', filters: [] });
    expect(topPricesQuery('X')).toMatchObject({
      table: 'gold_latest',
      sort: [{ column: 'price', direction: 'desc' }],
      filters: [{ column: 'sourceSystem', op: 'is', text: 'X' }],
    });
  });

  it('ask for those that moved one way, the most first', () => {
    expect(moversQuery('down', 'All')).toMatchObject({
      table: 'top_movers',
      sort: [{ column: 'change_pct', direction: 'asc' }],
      filters: [{ column: 'direction', op: 'is', text: 'down' }],
    });
    expect(moversQuery('up', 'X')).toMatchObject({
      table: 'gold_kpi_5m_by_source',
      sort: [{ column: 'change_pct', direction: 'desc' }],
      filters: [
        { column: 'sourceSystem', op: 'is', text: 'X' },
        { column: 'change_pct', op: 'gt', value: 0 },
      ],
    });
  });

  it('carry what a viewer types as a value', () => {
    expect(symbolsQuery(HOSTILE, 'X').filters).toEqual([
      { column: 'sourceSystem', op: 'is', text: 'X' },
      { column: 'symbol', op: 'contains', text: HOSTILE },
    ]);
    expect(pricesQuery(HOSTILE, 'All').filters).toEqual([
      { column: 'symbol', op: 'is', text: HOSTILE },
    ]);
  });
});

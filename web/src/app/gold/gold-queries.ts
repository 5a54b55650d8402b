import { DRAW_EVERY } from '../charts/chart-pace';
import type { Filter, Sort, TableQuery } from '../deephaven/query';
import type { PanelForm } from '../panel/panel-form';
import { GOLD_TABLES, POSITIONS_FLOW } from '../screens/gold-tables';
import { ALL_SOURCES } from './source-choice';

/** How many rows a list of the page has. */
export const LIST_ROWS = 20;
/** More groups of profit and loss than there are; the best and the worst of them are drawn. */
export const MOST_GROUPS = 500;
/** How many rows the risers and the fallers have each. */
export const MOVER_ROWS = 10;
/** Fifteen minutes in steps of five seconds. */
export const TREND_ROWS = 180;

/** A query of the positions flow; what is no grid is read no more often than it is drawn. */
function query(
  table: keyof typeof GOLD_TABLES,
  sort: readonly Sort[],
  filters: readonly Filter[],
  columns?: readonly string[],
): TableQuery {
  return { table, sort, filters, columns, together: POSITIONS_FLOW, interval: DRAW_EVERY };
}

const by = (column: string, direction: Sort['direction']): readonly Sort[] => [
  { column, direction },
];
const is = (column: string, text: string): Filter => ({ column, op: 'is', text });

/** The filter of a table that has rows of all source systems but none that sum them up. */
export function sourceFilters(source: string): readonly Filter[] {
  return source === ALL_SOURCES ? [] : [is('sourceSystem', source)];
}

/** The filter of a table that has rows of each source system, and rows that sum them up. */
export function ofSource(source: string): readonly Filter[] {
  return [is('sourceSystem', source)];
}

/** The sums of every source system. */
export function totalsQuery(): TableQuery {
  return query('gold_totals', by('sourceSystem', 'asc'), []);
}

/** What was traded over the last fifteen minutes, newest first: an old row must not push it out. */
export function trendQuery(source: string): TableQuery {
  const columns = ['bucket', 'trades', 'notional'];
  return query('gold_trend', by('bucket', 'desc'), ofSource(source), columns);
}

/** Profit and loss by group, the best first. */
export function pnlQuery(group: 'instrument' | 'allotment', source: string): TableQuery {
  return query(`pnl_by_${group}`, by('pnl', 'desc'), ofSource(source));
}

/** The symbols that moved most one way. */
export function moversQuery(direction: 'up' | 'down', source: string): TableQuery {
  const sort = by('change_pct', direction === 'up' ? 'desc' : 'asc');
  const columns = ['symbol', 'last', 'change_pct', 'trades'];
  if (source === ALL_SOURCES) {
    return query('top_movers', sort, [is('direction', direction)], columns);
  }
  const moved: Filter = { column: 'change_pct', op: direction === 'up' ? 'gt' : 'lt', value: 0 };
  return query('gold_kpi_5m_by_source', sort, [...ofSource(source), moved], columns);
}

/** The highest prices. */
export function topPricesQuery(source: string): TableQuery {
  const table = source === ALL_SOURCES ? 'top_by_px' : 'gold_latest';
  const columns = ['symbol', 'price', 'sector', 'exchange'];
  return query(table, by('price', 'desc'), sourceFilters(source), columns);
}

/** The prices of a symbol over the last fifteen minutes, newest first. */
export function pricesQuery(symbol: string, source: string): TableQuery {
  const filters = [is('symbol', symbol), ...sourceFilters(source)];
  return query('gold_buckets', by('bucket', 'desc'), filters, ['bucket', 'last', 'trades']);
}

/** The symbols with the most notional, to begin with. */
export function busiestQuery(source: string): TableQuery {
  return query('gold_kpi_5m_by_source', by('notional', 'desc'), ofSource(source), ['symbol']);
}

/** The symbols with prices to draw whose name contains a text. */
export function symbolsQuery(text: string, source: string): TableQuery {
  const named: Filter[] = text === '' ? [] : [{ column: 'symbol', op: 'contains', text }];
  const filters = [...ofSource(source), ...named];
  return query('gold_kpi_15m_by_source', by('symbol', 'asc'), filters, ['symbol']);
}

/** The KPI grids: five or fifteen minutes. */
export const KPI_FORMS: readonly PanelForm[] = [
  { name: '5m', label: '5 min', spec: GOLD_TABLES.gold_kpi_5m_by_source },
  { name: '15m', label: '15 min', spec: GOLD_TABLES.gold_kpi_15m_by_source },
];

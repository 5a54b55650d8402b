import type { Sort } from '../deephaven/query';
import type { ColumnSpec, TableSpec } from '../live-table/table-spec';

/** The flow that the views of this page belong to; they swap as one. */
export const POSITIONS_FLOW = 'positions';

const positions = { together: POSITIONS_FLOW };
const RECORD = ['topic', 'partition', 'offset'];
const MOST_NOTIONAL: readonly Sort[] = [{ column: 'notional', direction: 'desc' }];
const NEWEST_FIRST: readonly Sort[] = [{ column: 'ts', direction: 'desc' }];

const symbol: ColumnSpec = { name: 'symbol', label: 'Symbol', width: 76 };
const source: ColumnSpec = { name: 'sourceSystem', label: 'Source', width: 84 };
const ts: ColumnSpec = { name: 'ts', label: 'Time', width: 104 };

/** The numbers of a position; in a list of events no row changes, so there only signs have colour. */
function figures(changing: boolean): ColumnSpec[] {
  const tone = changing ? 'change' : undefined;
  return [
    { name: 'price', label: 'Price', format: 'price', width: 92, tone },
    { name: 'qty', label: 'Quantity', width: 80 },
    { name: 'pnl', label: 'P&L', format: 'signed', width: 104, tone: 'sign' },
    { name: 'mtm', label: 'MTM', format: 'money', width: 100 },
  ];
}

/** What a position is and where it came from: shown when asked for. */
const details: readonly ColumnSpec[] = [
  { name: 'allotment', label: 'Allotment', width: 100 },
  { name: 'instrumentCode', label: 'Instrument', width: 100 },
  { name: 'positionId', label: 'Position', width: 100 },
  { name: 'isin', label: 'ISIN', width: 120 },
  { name: 'cusip', label: 'CUSIP', width: 100 },
  { name: 'tradingDate', label: 'Trading date', width: 100 },
  { name: 'op', label: 'Op', width: 46 },
  { name: 'event_ts', label: 'Event', width: 110 },
  { name: 'event_time', label: 'Event time', width: 110 },
  { name: 'topic', label: 'Topic', width: 110 },
  { name: 'partition', label: 'Partition', width: 84 },
  { name: 'offset', label: 'Offset', width: 96 },
].map((column) => ({ ...column, hidden: true }));

const kpis: readonly ColumnSpec[] = [
  symbol,
  { name: 'trades', label: 'Trades', width: 66 },
  { name: 'notional', label: 'Notional', format: 'compact', width: 84 },
  { name: 'vwap', label: 'VWAP', format: 'price', width: 86 },
  { name: 'last', label: 'Last', format: 'price', width: 92, tone: 'change' },
  { name: 'change_pct', label: 'Change', format: 'percent', width: 90, tone: 'sign' },
  { name: 'avg_px', label: 'Average', format: 'price', width: 86, hidden: true },
  { name: 'qty_sum', label: 'Quantity', format: 'compact', width: 84, hidden: true },
  { name: 'first', label: 'First', format: 'price', width: 86, hidden: true },
  { name: 'change', label: 'Change abs.', format: 'signed', width: 96, hidden: true, tone: 'sign' },
];

/** The figures of a symbol over the last minutes, of all source systems or of each and all. */
function kpiTable(minutes: 5 | 15, bySource: boolean): TableSpec {
  return {
    ...positions,
    table: `gold_kpi_${minutes}m${bySource ? '_by_source' : ''}`,
    key: bySource ? ['symbol', 'sourceSystem'] : ['symbol'],
    columns: bySource ? [...kpis, { ...source, hidden: true }] : kpis,
    sort: MOST_NOTIONAL,
    empty: `No trades in the last ${minutes} minutes.`,
  };
}

/** How the tables of the positions flow are shown in grids, by their names. */
export const GOLD_TABLES = {
  gold_latest: {
    ...positions,
    table: 'gold_latest',
    // What tells positions apart is a setting; this column says it.
    key: ['key'],
    columns: [
      symbol,
      ...figures(true),
      { name: 'sector', label: 'Sector', width: 96 },
      { name: 'exchange', label: 'Exchange', width: 80 },
      source,
      ts,
      ...details,
      { name: 'key', label: 'Key', width: 100, hidden: true },
    ],
    sort: [{ column: 'symbol', direction: 'asc' }],
    empty: 'No positions yet.',
  },
  gold_stream_raw: {
    ...positions,
    table: 'gold_stream_raw',
    key: RECORD,
    columns: [ts, symbol, ...figures(false), source, ...details],
    sort: NEWEST_FIRST,
    empty: 'No events yet.',
  },
  gold_kpi_5m: kpiTable(5, false),
  gold_kpi_15m: kpiTable(15, false),
  gold_kpi_5m_by_source: kpiTable(5, true),
  gold_kpi_15m_by_source: kpiTable(15, true),
  top_by_px: { ...positions, table: 'top_by_px', key: ['symbol'] },
  top_movers: { ...positions, table: 'top_movers', key: ['symbol'] },
  pnl_by_instrument: {
    ...positions,
    table: 'pnl_by_instrument',
    key: ['sourceSystem', 'instrument'],
  },
  pnl_by_allotment: { ...positions, table: 'pnl_by_allotment', key: ['sourceSystem', 'allotment'] },
  gold_totals: { ...positions, table: 'gold_totals', key: ['sourceSystem'] },
  gold_trend: { ...positions, table: 'gold_trend', key: ['sourceSystem', 'bucket'] },
  gold_buckets: {
    ...positions,
    table: 'gold_buckets',
    key: ['symbol', 'sourceSystem', 'bucket'],
  },
} as const satisfies Record<string, TableSpec>;

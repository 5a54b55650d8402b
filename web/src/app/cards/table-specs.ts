import type { GridCard } from '../catalogue/cards';
import { hasColumn, type ColumnLook, type TableInfo } from '../catalogue/tables';
import type { Sort } from '../deephaven/query';
import type { ColumnSpec, TableSpec } from '../grid/table-spec';
import type { PanelForm } from '../panel/panel-form';

/** What is known of the tables of flows, by name. */
type Tables = ReadonlyMap<string, TableInfo>;

/** The columns that identify a row of the tables about Tidegrid itself. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  rejects: ['topic', 'partition', 'offset'],
  orchestrator_status: ['flow'],
  generations: ['flow', 'generation', 'state', 'control'],
  control_raw: ['offset'],
  preview: ['flow', 'generation', 'view'],
  progress: ['flow', 'generation'],
  topics: ['topic'],
  swap_requests: ['id'],
  swap_answers: ['id'],
  catalogue: ['flow', 'table'],
  pages: ['flow'],
  flows: ['flow', 'source'],
};
/** Where a row came from: shown when asked for. */
const ORIGIN: ReadonlySet<string> = new Set(['topic', 'partition', 'offset']);
/** The tables that are lists of what came last. */
const LISTS: ReadonlySet<string> = new Set(['events', 'as_of']);
const NEWEST_FIRST: readonly Sort[] = [{ column: 'ts', direction: 'desc' }];

/** How the rejects of all flows are shown; each has the generation of its own, so they wait for none. */
export const REJECTS: TableSpec = {
  table: 'rejects',
  key: KEYS['rejects'] ?? [],
  columns: [
    { name: 'ts', label: 'Time', width: 110 },
    { name: 'flow', label: 'Flow', width: 100 },
    { name: 'reason', label: 'Reason', width: 260 },
    { name: 'value', label: 'Value', width: 360 },
    { name: 'topic', label: 'Topic', width: 110 },
    { name: 'partition', label: 'Partition', width: 84 },
    { name: 'offset', label: 'Offset', width: 96 },
  ],
  sort: NEWEST_FIRST,
};

/**
 * Any table by its name, with all its columns. One of a flow has its key, its labels and its flow;
 * of any other table nothing is known, and a column `generation` is like the rest.
 */
export function anyTable(table: string, tables: Tables): TableSpec {
  const info = tables.get(table);
  return info
    ? {
        table,
        key: info.key,
        columns: info.columns.map((look) => column(look)),
        together: info.flow,
      }
    : { table, key: KEYS[table] ?? [] };
}

/** The tables of a grid, each with the name of its button. */
export function formsOf(card: GridCard, tables: Tables): readonly PanelForm[] {
  return card.tables.map((table, n) => {
    const label = card.forms[n] ?? table;
    const name = label
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '');
    return { name: name || String(n), label, spec: gridSpec(table, card, tables) };
  });
}

/** A table of a grid: with the columns of the card, in their order, the others when asked for. */
export function gridSpec(table: string, card: GridCard, tables: Tables): TableSpec {
  const info = tables.get(table);
  if (!info) {
    return table === REJECTS.table ? REJECTS : anyTable(table, tables);
  }
  const shown = card.columns.filter((name) => hasColumn(info, name));
  const order = (name: string) => (shown.includes(name) ? shown.indexOf(name) : Infinity);
  const hidden = (name: string) => (shown.length > 0 ? !shown.includes(name) : ORIGIN.has(name));
  return {
    table,
    key: info.key,
    columns: [...info.columns]
      // Stable, so that those that are not named keep the order they have in the table.
      .sort((a, b) => (order(a.name) === order(b.name) ? 0 : order(a.name) - order(b.name)))
      .map((look) => column(look, hidden(look.name))),
    sort: sortOf(card, info),
    together: info.flow,
    empty: card.empty || undefined,
  };
}

/** The order of the card, where the table has the column; a list of events has the newest first. */
function sortOf({ sort }: GridCard, info: TableInfo): readonly Sort[] | undefined {
  if (LISTS.has(info.kind)) {
    return NEWEST_FIRST;
  }
  const name = sort.replace(/^-/, '');
  return hasColumn(info, name)
    ? [{ column: name, direction: sort.startsWith('-') ? 'desc' : 'asc' }]
    : undefined;
}

function column({ name, label, format, width, tone }: ColumnLook, hidden = false): ColumnSpec {
  return { name, label, format, width, tone, hidden };
}

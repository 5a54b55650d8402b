import type { FlowPage } from '../catalogue/flow-pages';
import { ALL, hasColumn, type TableInfo } from '../catalogue/tables';

/** The values to choose from; the chosen one is among them even when no row has it. */
export function filterOptions(values: readonly string[], chosen: string): readonly string[] {
  const names = new Set([...values, chosen]);
  const single = [...names].filter((name) => name !== '' && name !== ALL);
  return [ALL, ...single.sort((a, b) => a.localeCompare(b))];
}

/**
 * The table that tells what a page can be filtered by: of those on its cards the one with a row for
 * each value, else one that sums values up, else any with the column.
 */
export function filterTable(
  { filter, cards }: Pick<FlowPage, 'filter' | 'cards'>,
  tables: ReadonlyMap<string, TableInfo>,
): TableInfo | undefined {
  const shown = cards
    .flatMap((card) => card.tables)
    .map((name) => tables.get(name))
    .filter((table) => filter !== '' && hasColumn(table, filter));
  return (
    shown.find((table) => table?.key.join() === filter) ??
    shown.find((table) => table?.rollup === filter) ??
    shown[0]
  );
}

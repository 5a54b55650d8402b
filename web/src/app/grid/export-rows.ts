import { exportCell } from '../format/cell-text';
import type { VisibleColumn } from './grid-view';
import type { RowModels } from './row-models';

/** The values of the loaded rows from first to last, in the order of the visible columns. */
export function exportRows(
  models: RowModels,
  columns: readonly VisibleColumn[],
  [first, last]: readonly [number, number],
): string[][] {
  const from = Math.max(0, first - models.first);
  const to = Math.max(0, last + 1 - models.first);
  return models.rows
    .slice(from, to)
    .map(({ cells }) =>
      columns.map(({ index, format }) => exportCell(cells[index] ?? null, format)),
    );
}

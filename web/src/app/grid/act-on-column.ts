import type { ColumnAction } from './grid-popup';
import type { ColumnView } from './grid-view';
import type { LiveTable } from './live-table';

/** Does to a visible column what its menu or its head was asked for. */
export function actOnColumn(
  live: LiveTable,
  columns: readonly ColumnView[],
  name: string,
  action: ColumnAction,
): void {
  const place = columns.findIndex((column) => column.name === name);
  const column = columns[place];
  if (!column) {
    return;
  }
  switch (action.kind) {
    case 'sort':
      return live.setSort(name, action.direction, action.add);
    case 'move':
      return live.moveColumn(name, place + action.by);
    case 'width':
      return live.setWidths([
        { column: name, width: action.by === null ? null : column.width + action.by },
      ]);
    case 'freeze':
      return live.freeze(action.on ? place + 1 : place);
    case 'hide':
      return live.setHidden(name, true);
  }
}

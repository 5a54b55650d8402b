import type { ColumnAction } from './grid-popup';

/** How much wider or narrower a key makes a column, in pixels. */
const STEP = 16;

/** What a key on a column's head does: `menu` opens its menu; null for any other key. */
export function headKey(event: {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}): ColumnAction | 'menu' | null {
  const { key, ctrlKey, shiftKey, altKey } = event;
  if (key === 'ContextMenu' || (key === 'F10' && shiftKey) || (key === 'ArrowDown' && altKey)) {
    return 'menu';
  }
  const by = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : null;
  if (by === null || altKey || ctrlKey === shiftKey) {
    return null;
  }
  return ctrlKey ? { kind: 'move', by } : { kind: 'width', by: by * STEP };
}

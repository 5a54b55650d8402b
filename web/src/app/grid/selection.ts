import { clamp } from './scroll-map';

/** The cell under the cursor and the rows selected with it. */
export interface Selection {
  readonly row: number;
  readonly column: number;
  /** The other end of the selected rows. */
  readonly anchor: number;
  /** Whether whole rows are selected, not just the cell. */
  readonly rows: boolean;
}

/** How far the cursor may go, and how far a page is. */
export interface Bounds {
  readonly rows: number;
  readonly columns: number;
  readonly page: number;
}

/** Where a key takes the cursor; null if the key does not move it. */
export function moveSelection(
  from: Selection | null,
  key: string,
  extend: boolean,
  bounds: Bounds,
): Selection | null {
  const at = from ?? { row: 0, column: 0, anchor: 0, rows: false };
  const steps: Record<string, [number, number]> = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    PageUp: [-bounds.page, 0],
    PageDown: [bounds.page, 0],
    Home: [-Infinity, 0],
    End: [Infinity, 0],
  };
  const step = steps[key];
  if (!step || bounds.rows === 0) {
    return null;
  }
  const row = from
    ? clamp(at.row + step[0], 0, bounds.rows - 1)
    : clamp(step[0], 0, bounds.rows - 1);
  const column = clamp(at.column + step[1], 0, bounds.columns - 1);
  return extend ? { row, column, anchor: at.anchor, rows: true } : select(row, column);
}

/** One cell selected. */
export function select(row: number, column: number): Selection {
  return { row, column, anchor: row, rows: false };
}

/** The rows from the anchor to the given one selected. */
export function extendTo(from: Selection | null, row: number, column: number): Selection {
  return { row, column, anchor: from?.anchor ?? row, rows: true };
}

/** The same selection after its row has moved by so many rows. */
export function shift(selection: Selection, by: number): Selection {
  return {
    ...selection,
    row: Math.max(0, selection.row + by),
    anchor: Math.max(0, selection.anchor + by),
  };
}

/** The first and last selected row. */
export function selectedRange(selection: Selection): readonly [number, number] {
  const { row, anchor } = selection;
  return [Math.min(row, anchor), Math.max(row, anchor)];
}

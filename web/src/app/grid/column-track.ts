import type { ColumnView } from './grid-view';

/** The most columns that can be frozen. */
export const MAX_FROZEN = 6;
/** The part of a grid's width that frozen columns may take, so that others can be seen beside them. */
const FROZEN_PART = 0.6;

/** Where the columns of a grid stand. */
export interface ColumnTrack {
  /** The widths, as CSS grid columns: what the viewer did not resize takes the room that is left. */
  readonly template: string;
  /** The width below which the columns scroll sideways. */
  readonly minWidth: number;
  /** Pixels from the left of each frozen column; empty if none is. */
  readonly lefts: readonly number[];
}

/** Places the columns in a grid of that width. */
export function columnTrack(columns: readonly ColumnView[], width: number): ColumnTrack {
  const minWidth = columns.reduce((sum, column) => sum + column.width, 0);
  const lefts = minWidth > width ? frozenLefts(columns, width) : [];
  const tracks = columns.map((column, place) =>
    column.resized || place < lefts.length
      ? `${column.width}px`
      : `minmax(${column.width}px, ${column.width}fr)`,
  );
  const stretches = tracks.some((track) => track.includes('fr'));
  return {
    template: [...tracks, ...(stretches ? [] : ['minmax(0, 1fr)'])].join(' '),
    minWidth,
    lefts,
  };
}

function frozenLefts(columns: readonly ColumnView[], width: number): readonly number[] {
  const firstLoose = columns.findIndex((column) => !column.frozen);
  const frozen = columns.slice(
    0,
    Math.min(firstLoose < 0 ? columns.length : firstLoose, MAX_FROZEN),
  );
  const taken = frozen.reduce((sum, column) => sum + column.width, 0);
  if (taken > width * FROZEN_PART) {
    return [];
  }
  let left = 0;
  return frozen.map((column) => {
    const own = left;
    left += column.width;
    return own;
  });
}

/** How far to scroll sideways so that a column is seen beside the frozen ones. */
export function revealLeft(
  scrollLeft: number,
  view: { readonly left: number; readonly right: number; readonly frozen: number },
  cell: { readonly left: number; readonly right: number },
): number {
  const hiddenLeft = view.left + view.frozen - cell.left;
  const hiddenRight = cell.right - view.right;
  if (hiddenLeft > 0) {
    return Math.max(0, scrollLeft - hiddenLeft);
  }
  return hiddenRight > 0 ? scrollLeft + hiddenRight : scrollLeft;
}

import type { ColumnInfo, ColumnKind } from '../deephaven/decode';
import type { FeedState } from '../deephaven/feed';
import { isRightAligned, type Format } from '../format/cell-text';
import { signOf } from '../format/number-text';
import type { QuickFilter } from './quick-filter';
import { FLASH_TIME, type RowModel, type RowModels } from './row-models';
import type { ColumnSpec } from './table-spec';

/** A visible column, as drawn. */
export interface ColumnView {
  readonly name: string;
  readonly label: string;
  readonly kind: ColumnKind;
  readonly right: boolean;
  readonly sorted: 'none' | 'ascending' | 'descending';
  /** Its place in the order, from one, when rows are sorted by several columns. */
  readonly sortPlace: number | null;
  readonly width: number;
  /** Whether the viewer gave it that width, so that it does not stretch. */
  readonly resized: boolean;
  /** Whether it stays when the others scroll sideways. */
  readonly frozen: boolean;
  readonly filterable: boolean;
  readonly filterText: string;
  /** The filter chosen in its menu, and in a few words. */
  readonly quick: QuickFilter | null;
  readonly quickText: string;
  readonly hint: string;
  readonly help: string;
  readonly filterError: string | null;
}

/** A cell, as drawn. */
export interface CellView {
  readonly text: string;
  readonly empty: boolean;
  /** The tint of a change and whether it is fading; empty when nothing changed lately. */
  readonly flash: string;
  /** The colour of the text and the arrow beside it; empty for plain text. */
  readonly tone: string;
}

/** A row, as drawn; `cells` is null while it is on its way. */
export interface RowView {
  readonly index: number;
  readonly selected: boolean;
  readonly cells: readonly CellView[] | null;
}

/** Whether a grid has rows, waits for them, or cannot have them. */
export type GridState = FeedState['kind'] | 'empty';

/** Everything a grid draws. */
export interface GridView {
  readonly columns: readonly ColumnView[];
  readonly rows: readonly RowView[];
  /** Pixels by which the first drawn row stands above the top. */
  readonly shift: number;
  readonly total: number;
  readonly contentHeight: number;
  readonly scaled: boolean;
  readonly scrollTop: number;
  /** Changes when `scrollTop` is to be applied. */
  readonly scrollVersion: number;
  /** The first and last visible row, counted from one. */
  readonly from: number;
  readonly to: number;
  readonly state: GridState;
  readonly message: string;
  /** Whether the rows still answer an older question. */
  readonly stale: boolean;
  readonly cursor: { readonly row: number; readonly column: number } | null;
  /** Since when the rows are held as they are, and how many updates have come since. */
  readonly paused: { readonly since: number; readonly waiting: number } | null;
}

/** A grid before anything is known. */
export const EMPTY_VIEW: GridView = {
  columns: [],
  rows: [],
  shift: 0,
  total: 0,
  contentHeight: 0,
  scaled: false,
  scrollTop: 0,
  scrollVersion: 0,
  from: 0,
  to: 0,
  state: 'loading',
  message: 'Loading…',
  stale: false,
  cursor: null,
  paused: null,
};

/** A column to draw and where its values stand in a row. */
export interface VisibleColumn {
  readonly info: ColumnInfo;
  readonly spec: ColumnSpec;
  readonly format: Format;
  readonly index: number;
}

/** Draws the rows from first to last, those not loaded yet as blanks. */
export function rowViews(
  models: RowModels,
  columns: readonly VisibleColumn[],
  [first, last]: readonly [number, number],
  selected: readonly [number, number] | null,
  now: number,
): RowView[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => {
    const index = first + n;
    const model = models.at(index);
    return {
      index,
      selected: selected !== null && index >= selected[0] && index <= selected[1],
      cells: model ? cellViews(model, columns, now) : null,
    };
  });
}

/** Draws the cells of a row. */
function cellViews(model: RowModel, columns: readonly VisibleColumn[], now: number): CellView[] {
  return columns.map(({ index, spec }) => {
    const change = model.changes.get(index);
    const age = change ? now - change.at : FLASH_TIME;
    const tint = age < FLASH_TIME / 2 ? '' : ' fading';
    return {
      text: model.texts[index] ?? '',
      empty: model.cells[index] === null,
      flash: change && age < FLASH_TIME ? `flash-${change.change}${tint}` : '',
      tone: spec.tone ? toneOf(model, index, spec.tone) : '',
    };
  });
}

/** The colour of a number and an arrow for the way it last went, so that no colour speaks alone. */
function toneOf(model: RowModel, index: number, by: 'change' | 'sign'): string {
  const trend = model.trends.get(index);
  const cell = model.cells[index] ?? null;
  const colour = by === 'change' ? trend : signOf(typeof cell === 'number' ? cell : null);
  return [colour && `tone-${colour}`, trend && `went-${trend}`].filter(Boolean).join(' ');
}

/** A sentence about the state for a viewer, empty when there is nothing to say. */
export function stateMessage(
  state: FeedState,
  total: number,
  filtered: boolean,
  empty = 'No rows yet.',
): string {
  switch (state.kind) {
    case 'loading':
      return 'Loading…';
    case 'reconnecting':
      return 'Connection lost. Reconnecting; these rows are the last ones seen.';
    case 'failed':
      return `${state.reason} Trying again.`;
    case 'live':
      return total > 0 ? '' : filtered ? 'No row matches the filter.' : empty;
  }
}

/** Whether a column's values stand at the right. */
export function alignsRight(column: VisibleColumn): boolean {
  return isRightAligned(column.format);
}

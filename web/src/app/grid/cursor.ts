import type { RowModels } from './row-models';
import {
  extendTo,
  moveSelection,
  select,
  selectedRange,
  shift,
  type Bounds,
  type Selection,
} from './selection';

/** The cursor of a grid, which stays with its row when updates move the row. */
export class Cursor {
  private current: Selection | null = null;
  private key: string | null = null;

  constructor(private readonly models: RowModels) {}

  /** What is selected. */
  get selection(): Selection | null {
    return this.current;
  }

  /** The first and last selected row. */
  get range(): readonly [number, number] | null {
    return this.current && selectedRange(this.current);
  }

  /** Moves by a key; returns the new row, or null if the key is not one that moves. */
  press(key: string, extend: boolean, bounds: Bounds): number | null {
    const next = moveSelection(this.current, key, extend, bounds);
    if (next) {
      this.set(next);
    }
    return next && next.row;
  }

  /** Goes to a cell, or extends the selected rows to it. */
  pick(row: number, column: number, extend: boolean): void {
    this.set(extend ? extendTo(this.current, row, column) : select(row, column));
  }

  /** Looks where its row has gone after an update. */
  follow(): void {
    if (!this.current) {
      return;
    }
    // A jump may have put the cursor on a row that was not loaded yet.
    this.key ??= this.models.at(this.current.row)?.key ?? null;
    const index = this.key === null ? null : this.models.indexOf(this.key);
    if (index !== null && index !== this.current.row) {
      this.current = shift(this.current, index - this.current.row);
    }
  }

  private set(selection: Selection): void {
    this.current = selection;
    this.key = this.models.at(selection.row)?.key ?? null;
  }
}

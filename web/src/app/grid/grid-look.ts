import type { ColumnKind } from '../deephaven/decode';
import type { Sort } from '../deephaven/query';
import type { ColumnChoices } from './column-layout';
import type { QuickFilter } from './quick-filter';

/** The filter of a column: what is typed into its box, what is chosen in its menu, or both. */
export interface ColumnFilter {
  readonly column: string;
  /** How the column's values are to be understood, since the text is read by it. */
  readonly kind: ColumnKind;
  readonly text?: string;
  readonly quick?: QuickFilter;
}

/**
 * How a viewer sees a grid: columns, order, filters, place. Only what differs from the table's
 * description is in it, so an untouched grid has an empty look.
 */
export interface GridLook extends ColumnChoices {
  /** The order of the rows; an empty list is none. */
  readonly sort?: readonly Sort[];
  readonly filters?: readonly ColumnFilter[];
  /** The key of the first visible row, one text for each of its columns; left out at the top. */
  readonly top?: readonly string[];
}

/** A grid that nobody has touched. */
export const PLAIN_LOOK: GridLook = {};

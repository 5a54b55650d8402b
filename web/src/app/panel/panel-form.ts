import type { Filter } from '../deephaven/query';
import type { TableSpec } from '../grid/table-spec';

/** One of the tables that a panel can show. */
export interface PanelForm {
  /** The name under which tests find its button. */
  readonly name: string;
  /** What the viewer reads on the button. */
  readonly label: string;
  readonly spec: TableSpec;
  /** Filters of the page on this table; those of the panel if it has none of its own. */
  readonly filters?: readonly Filter[];
}

import type { Sort } from '../deephaven/query';
import { filterHelp, filterHint, isFilterable, parseFilter } from './filter-text';
import { alignsRight, type ColumnView, type VisibleColumn } from './grid-view';
import { quickText, type QuickFilter } from './quick-filter';
import { widthOf } from './table-spec';

/** What the viewer chose for a column. */
interface HeadChoices {
  readonly sorts: readonly Sort[];
  readonly text: string;
  readonly quick: QuickFilter | null;
  readonly width: number | undefined;
  readonly frozen: boolean;
}

/** The head of a column, as drawn. */
export function columnHead(column: VisibleColumn, choices: HeadChoices): ColumnView {
  const { name, kind } = column.info;
  const place = choices.sorts.findIndex((sort) => sort.column === name);
  const direction = choices.sorts[place]?.direction;
  const parsed = parseFilter(name, kind, choices.text);
  return {
    name,
    kind,
    label: column.spec.label,
    right: alignsRight(column),
    width: choices.width ?? widthOf(column.spec, kind),
    resized: choices.width !== undefined,
    frozen: choices.frozen,
    sorted: direction ? (direction === 'asc' ? 'ascending' : 'descending') : 'none',
    sortPlace: choices.sorts.length > 1 && place >= 0 ? place + 1 : null,
    filterable: isFilterable(kind),
    filterText: choices.text,
    quick: choices.quick,
    quickText: choices.quick ? quickText(choices.quick) : '',
    hint: filterHint(kind),
    help: filterHelp(kind),
    filterError: parsed.kind === 'error' ? parsed.message : null,
  };
}

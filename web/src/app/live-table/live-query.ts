import type { ColumnInfo } from '../deephaven/decode';
import type { Filter, Sort, TableQuery } from '../deephaven/query';
import { filterHelp, filterHint, isFilterable, parseFilter } from './filter-text';
import type { Format } from './format';
import { alignsRight, type ColumnView, type VisibleColumn } from './grid-view';
import { neededColumns, TIME_COLUMN, widthOf, type ColumnSpec, type TableSpec } from './table-spec';

/** What a viewer asks of a table: order, filters and columns. */
export class LiveQuery {
  private sort: readonly Sort[];
  private readonly filterTexts = new Map<string, string>();
  private restriction: readonly Filter[] = [];
  private readonly hidden: Set<string>;
  /** The table's columns, once a snapshot has told them. */
  private infos: readonly ColumnInfo[] = [];
  private readonly specs: ReadonlyMap<string, ColumnSpec>;

  constructor(private readonly spec: TableSpec) {
    this.sort = spec.sort ?? [];
    const columns = spec.columns ?? [];
    this.specs = new Map(columns.map((column) => [column.name, column]));
    this.hidden = new Set(columns.filter((column) => column.hidden).map((column) => column.name));
  }

  /** Whether the viewer has set any filter in the grid. */
  get filtered(): boolean {
    return this.filters().length > 0;
  }

  /** Whether the newest rows stand at the top. */
  get newestFirst(): boolean {
    return this.sort[0]?.column === TIME_COLUMN && this.sort[0].direction === 'desc';
  }

  /** The query to subscribe to. */
  query(): TableQuery {
    const { table, together } = this.spec;
    const columns = neededColumns(this.spec, this.hidden);
    const filters = [...this.restriction, ...this.filters()];
    return { table, sort: this.sort, filters, columns, together };
  }

  /** Sets the filters of the page, which hold beside the viewer's; returns whether they are new. */
  restrict(filters: readonly Filter[]): boolean {
    const changed = JSON.stringify(filters) !== JSON.stringify(this.restriction);
    this.restriction = filters;
    return changed;
  }

  /** Learns the columns from a snapshot. */
  learn(infos: readonly ColumnInfo[]): void {
    this.infos = infos;
  }

  /** Goes from no order to ascending, to descending, and back to none. */
  cycleSort(column: string): void {
    const current = this.sort.find((sort) => sort.column === column)?.direction;
    const next = current === undefined ? 'asc' : current === 'asc' ? 'desc' : undefined;
    this.sort = next ? [{ column, direction: next }] : [];
  }

  /** Sets the text of a column's filter. */
  setFilterText(column: string, text: string): void {
    this.filterTexts.set(column, text);
  }

  /** Shows or hides a column; the last visible one stays. A hidden one filters nothing. */
  setHidden(column: string, hidden: boolean): void {
    if (!hidden) {
      this.hidden.delete(column);
    } else if (this.choices().filter((choice) => choice.visible).length > 1) {
      this.hidden.add(column);
      this.filterTexts.delete(column);
    }
  }

  /** All columns and whether they are visible. */
  choices(): { name: string; label: string; visible: boolean }[] {
    const specs = this.spec.columns ?? this.infos.map((info) => this.specOf(info.name));
    return specs.map(({ name, label }) => ({ name, label, visible: !this.hidden.has(name) }));
  }

  /** How a column is written. */
  readonly formatOf = (info: ColumnInfo): Format => this.specOf(info.name).format ?? info.kind;

  /** The columns to draw, in order. */
  visible(): VisibleColumn[] {
    return this.infos
      .map((info, index) => ({
        info,
        index,
        spec: this.specOf(info.name),
        format: this.formatOf(info),
      }))
      .filter(({ info }) => !this.hidden.has(info.name));
  }

  /** The heads of the columns to draw. */
  heads(visible: readonly VisibleColumn[]): ColumnView[] {
    return visible.map((column) => {
      const { name, kind } = column.info;
      const direction = this.sort.find((sort) => sort.column === name)?.direction;
      const parsed = parseFilter(name, kind, this.filterTexts.get(name) ?? '');
      return {
        name,
        kind,
        label: column.spec.label,
        right: alignsRight(column),
        width: widthOf(column.spec, kind),
        sorted: direction ? (direction === 'asc' ? 'ascending' : 'descending') : 'none',
        filterable: isFilterable(kind),
        hint: filterHint(kind),
        help: filterHelp(kind),
        filterError: parsed.kind === 'error' ? parsed.message : null,
      };
    });
  }

  private specOf(name: string): ColumnSpec {
    return this.specs.get(name) ?? { name, label: name };
  }

  private filters(): Filter[] {
    return [...this.filterTexts].flatMap(([column, text]) => {
      const kind = this.infos.find((info) => info.name === column)?.kind ?? 'text';
      const parsed = parseFilter(column, kind, text);
      return parsed.kind === 'filter' ? [parsed.filter] : [];
    });
  }
}

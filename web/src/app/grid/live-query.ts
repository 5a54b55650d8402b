import type { ColumnInfo, ColumnKind } from '../deephaven/decode';
import type { Filter, Sort, TableQuery } from '../deephaven/query';
import { ColumnLayout } from './column-layout';
import { columnHead } from './column-head';
import { parseFilter } from './filter-text';
import type { Format } from '../format/cell-text';
import type { ColumnFilter, GridLook } from './grid-look';
import type { ColumnView, VisibleColumn } from './grid-view';
import { quickTests, type QuickFilter } from './quick-filter';
import { cycleSort, withSort } from './sort-order';
import { neededColumns, TIME_COLUMN, type TableSpec } from './table-spec';

/** What a viewer asks of a table: order, filters and columns. */
export class LiveQuery {
  /** Which columns there are, in which order, how wide. */
  readonly layout: ColumnLayout;
  private sort: readonly Sort[] = [];
  private readonly filterTexts = new Map<string, string>();
  private readonly quickFilters = new Map<string, QuickFilter>();
  private restriction: readonly Filter[] = [];
  /** The table's columns, once a snapshot has told them. */
  private infos: readonly ColumnInfo[] = [];
  /** The kinds of columns that are filtered, as long as no snapshot has told them. */
  private readonly presumed = new Map<string, ColumnKind>();

  constructor(private readonly spec: TableSpec) {
    this.layout = new ColumnLayout(spec);
    this.apply({});
  }

  /** Whether the viewer has set any filter in the grid. */
  get filtered(): boolean {
    return this.filters().length > 0;
  }

  /** Whether the newest rows stand at the top. */
  get newestFirst(): boolean {
    return this.sort[0]?.column === TIME_COLUMN && this.sort[0].direction === 'desc';
  }

  /** The order of the rows. */
  get sorts(): readonly Sort[] {
    return this.sort;
  }

  /** The query to subscribe to. */
  query(): TableQuery {
    const { table, together } = this.spec;
    const columns = neededColumns(this.spec, this.layout.hiddenNames);
    const filters = [...this.restriction, ...this.filters()];
    return { table, sort: this.sort, filters, columns, together };
  }

  /** Takes over columns, order and filters of a look. */
  apply(look: GridLook): void {
    this.layout.apply(look);
    this.sort = look.sort ?? this.spec.sort ?? [];
    this.filterTexts.clear();
    this.quickFilters.clear();
    for (const { column, kind, text, quick } of look.filters ?? []) {
      // A viewer could not see why rows are missing.
      if (!this.layout.isHidden(column)) {
        this.presumed.set(column, kind);
        this.setFilterText(column, text ?? '');
        this.setQuickFilter(column, quick ?? null);
      }
    }
  }

  /** Columns, order and filters, as far as they differ from the table's description. */
  look(): GridLook {
    const filtered = new Set([...this.filterTexts.keys(), ...this.quickFilters.keys()]);
    const filters = [...filtered].flatMap((column): ColumnFilter[] => {
      const text = this.filterTexts.get(column);
      const quick = this.quickFilters.get(column);
      return text || quick
        ? [
            {
              column,
              kind: this.kindOf(column),
              ...(text ? { text } : {}),
              ...(quick ? { quick } : {}),
            },
          ]
        : [];
    });
    const sorted = JSON.stringify(this.sort) !== JSON.stringify(this.spec.sort ?? []);
    return {
      ...this.layout.choices(),
      ...(sorted ? { sort: this.sort } : {}),
      ...(filters.length > 0 ? { filters } : {}),
    };
  }

  /** Sets the filters of the page, which hold beside the viewer's; returns whether they are new. */
  restrict(filters: readonly Filter[]): boolean {
    const changed = JSON.stringify(filters) !== JSON.stringify(this.restriction);
    this.restriction = filters;
    return changed;
  }

  /** Learns the columns from a snapshot; returns whether they are not those known or presumed. */
  learn(infos: readonly ColumnInfo[]): boolean {
    const changed = infos.some(({ name, kind }) => {
      const known = this.infos.find((info) => info.name === name)?.kind ?? this.presumed.get(name);
      return known !== undefined && known !== kind;
    });
    this.infos = infos;
    this.layout.learn(infos);
    return changed;
  }

  /** Goes from no order to ascending, to descending, and back to none. */
  cycleSort(column: string, add = false): void {
    this.sort = cycleSort(this.sort, column, add);
  }

  /** Sorts by a column in that direction, or no longer; with `add` beside the others. */
  setSort(column: string, direction: Sort['direction'] | null, add: boolean): void {
    this.sort = withSort(this.sort, column, direction, add);
  }

  /** Sets the text of a column's filter. */
  setFilterText(column: string, text: string): void {
    if (text === '') {
      this.filterTexts.delete(column);
    } else {
      this.filterTexts.set(column, text);
    }
  }

  /** Sets the filter chosen in a column's menu, or none. */
  setQuickFilter(column: string, quick: QuickFilter | null): void {
    if (quick) {
      this.quickFilters.set(column, quick);
    } else {
      this.quickFilters.delete(column);
    }
  }

  /** Removes all filters of the viewer. */
  clearFilters(): void {
    this.filterTexts.clear();
    this.quickFilters.clear();
  }

  /** Shows or hides a column; the last visible one stays. A hidden one filters nothing. */
  setHidden(column: string, hidden: boolean): void {
    if (this.layout.setHidden(column, hidden) && hidden) {
      this.filterTexts.delete(column);
      this.quickFilters.delete(column);
    }
  }

  /** All columns in order and whether they are visible. */
  choices(): { name: string; label: string; visible: boolean }[] {
    return this.layout.names().map((name) => ({
      name,
      label: this.layout.specOf(name).label,
      visible: !this.layout.isHidden(name),
    }));
  }

  /** How a column is written. */
  readonly formatOf = (info: ColumnInfo): Format =>
    this.layout.specOf(info.name).format ?? info.kind;

  /** The columns to draw, in order. */
  visible(): VisibleColumn[] {
    const places = new Map(this.layout.names().map((name, place) => [name, place]));
    const placeOf = ({ info }: VisibleColumn) => places.get(info.name) ?? places.size;
    return this.infos
      .map((info, index) => ({
        info,
        index,
        spec: this.layout.specOf(info.name),
        format: this.formatOf(info),
      }))
      .filter(({ info }) => !this.layout.isHidden(info.name))
      .sort((a, b) => placeOf(a) - placeOf(b));
  }

  /** The heads of the columns to draw. */
  heads(visible: readonly VisibleColumn[]): ColumnView[] {
    const frozen = this.layout.frozen(visible.map(({ info }) => info.name));
    return visible.map((column, place) =>
      columnHead(column, {
        sorts: this.sort,
        text: this.filterTexts.get(column.info.name) ?? '',
        quick: this.quickFilters.get(column.info.name) ?? null,
        width: this.layout.widthOf(column.info.name),
        frozen: place < frozen,
      }),
    );
  }

  private kindOf(column: string): ColumnKind {
    const known = this.infos.find((info) => info.name === column)?.kind;
    return known ?? this.presumed.get(column) ?? 'text';
  }

  private filters(): Filter[] {
    const texts = [...this.filterTexts].flatMap(([column, text]) => {
      const parsed = parseFilter(column, this.kindOf(column), text);
      return parsed.kind === 'filter' ? [parsed.filter] : [];
    });
    const quick = [...this.quickFilters].flatMap(([column, chosen]) =>
      quickTests(column, this.kindOf(column), chosen),
    );
    return [...texts, ...quick];
  }
}

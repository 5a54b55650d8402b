import type { ColumnInfo } from '../deephaven/decode';
import { clamp } from './scroll-map';
import type { ColumnSpec, TableSpec } from './table-spec';

/** How narrow and how wide a viewer can make a column, in pixels. */
export const MIN_WIDTH = 40;
export const MAX_WIDTH = 1_200;

/** What a viewer can change about the columns; what is left out is as the table's description says. */
export interface ColumnChoices {
  /** The names of the columns in order; one that is missing keeps its place behind the one before. */
  readonly order?: readonly string[];
  /** The columns hidden although they are shown at first. */
  readonly hidden?: readonly string[];
  /** The columns shown although they are hidden at first. */
  readonly shown?: readonly string[];
  /** Pixels of the columns that were resized. */
  readonly widths?: readonly { readonly column: string; readonly width: number }[];
  /** How many of the first columns stay when the rest scrolls sideways; the key when left out. */
  readonly frozen?: number;
}

/** The columns of a grid as the viewer arranged them: order, visibility, widths, how many are frozen. */
export class ColumnLayout {
  private order: readonly string[] | null = null;
  private readonly hidden = new Set<string>();
  private readonly widths = new Map<string, number>();
  private frozenCount: number | null = null;
  private readonly specs: ReadonlyMap<string, ColumnSpec>;
  /** The table's columns, once they are known. */
  private infos: readonly ColumnInfo[] = [];

  constructor(private readonly spec: TableSpec) {
    this.specs = new Map((spec.columns ?? []).map((column) => [column.name, column]));
    this.apply({});
  }

  /** Arranges the columns like that; names of columns that are gone do nothing. */
  apply({ order, hidden = [], shown = [], widths = [], frozen }: ColumnChoices): void {
    this.order = order ?? null;
    this.hidden.clear();
    const byDefault = (this.spec.columns ?? []).filter((column) => column.hidden);
    byDefault.forEach(({ name }) => this.hidden.add(name));
    hidden.forEach((name) => this.hidden.add(name));
    shown.forEach((name) => this.hidden.delete(name));
    this.widths.clear();
    widths.forEach(({ column, width }) => this.setWidth(column, width));
    this.frozenCount = frozen ?? null;
    if (this.names().length > 0 && this.names().every((name) => this.hidden.has(name))) {
      this.hidden.clear(); // A grid without columns could not be put right by hand.
    }
  }

  /** What differs from the table's description. */
  choices(): ColumnChoices {
    const names = this.names();
    const isHidden = (name: string) => this.specs.get(name)?.hidden === true;
    const hidden = names.filter((name) => this.hidden.has(name) && !isHidden(name));
    const shown = names.filter((name) => !this.hidden.has(name) && isHidden(name));
    const widths = names.flatMap((column) => {
      const width = this.widths.get(column);
      return width === undefined ? [] : [{ column, width }];
    });
    const moved = this.order !== null && names.join('\n') !== this.defaultNames().join('\n');
    return {
      ...(moved ? { order: names } : {}),
      ...(hidden.length > 0 ? { hidden } : {}),
      ...(shown.length > 0 ? { shown } : {}),
      ...(widths.length > 0 ? { widths } : {}),
      ...(this.frozenCount === null ? {} : { frozen: this.frozenCount }),
    };
  }

  /** Learns the table's columns. */
  learn(infos: readonly ColumnInfo[]): void {
    this.infos = infos;
  }

  /** How a column is described; one that is not has its name as label. */
  specOf(name: string): ColumnSpec {
    return this.specs.get(name) ?? { name, label: name };
  }

  /** The names of all columns, visible or not, in order. */
  names(): readonly string[] {
    const names = this.defaultNames();
    if (!this.order) {
      return names;
    }
    const known = new Set(names);
    const ordered = this.order.filter(
      (name, at, all) => known.has(name) && all.indexOf(name) === at,
    );
    names.forEach((name, at) => {
      if (!ordered.includes(name)) {
        ordered.splice(at === 0 ? 0 : ordered.indexOf(names[at - 1] ?? '') + 1, 0, name);
      }
    });
    return ordered;
  }

  /** Whether a column is hidden. */
  isHidden(name: string): boolean {
    return this.hidden.has(name);
  }

  /** The hidden columns. */
  get hiddenNames(): ReadonlySet<string> {
    return this.hidden;
  }

  /** Shows or hides a column; the last visible one stays. Returns whether anything changed. */
  setHidden(name: string, hidden: boolean): boolean {
    if (!hidden) {
      return this.hidden.delete(name);
    }
    const others = this.names().filter((other) => other !== name && !this.hidden.has(other));
    if (others.length > 0) {
      this.hidden.add(name);
    }
    return others.length > 0;
  }

  /** Moves a visible column to a place among the visible ones; returns the place it got. */
  move(name: string, place: number): number {
    const names = this.names();
    const visible = names.filter((other) => !this.hidden.has(other) && other !== name);
    const at = clamp(Math.round(place), 0, visible.length);
    const before = visible[at];
    const rest = names.filter((other) => other !== name);
    const index = before === undefined ? rest.length : rest.indexOf(before);
    this.order = [...rest.slice(0, index), name, ...rest.slice(index)];
    return at;
  }

  /** The width that the viewer gave a column; undefined for its own. */
  widthOf(name: string): number | undefined {
    return this.widths.get(name);
  }

  /** Gives a column a width, or its own again. */
  setWidth(name: string, width: number | null): void {
    if (width === null) {
      this.widths.delete(name);
    } else {
      this.widths.set(name, Math.round(clamp(width, MIN_WIDTH, MAX_WIDTH)));
    }
  }

  /** How many of the first visible columns are frozen: those of the key that lead, unless chosen. */
  frozen(visible: readonly string[]): number {
    if (this.frozenCount !== null) {
      return clamp(this.frozenCount, 0, visible.length);
    }
    const firstOther = visible.findIndex((name) => !this.spec.key.includes(name));
    // Were all of them frozen, none could scroll.
    return firstOther < 0 ? 0 : firstOther;
  }

  /** Freezes so many of the first columns. */
  freeze(count: number): void {
    this.frozenCount = Math.max(0, count);
  }

  private defaultNames(): readonly string[] {
    return (this.spec.columns ?? this.infos).map(({ name }) => name);
  }
}

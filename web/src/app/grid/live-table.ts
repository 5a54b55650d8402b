import { type Filter, type Sort } from '../deephaven/query';
import type { TableHub } from '../deephaven/table-hub';
import { detailsTarget, type DetailsTarget } from './details-target';
import { exportRows } from './export-rows';
import { toCsv, toTsv } from './export-text';
import { exportCell, titleOf } from '../format/cell-text';
import { findRow } from './find-row';
import type { Frames } from './frames';
import { GridFeed } from './grid-feed';
import { PLAIN_LOOK, type GridLook } from './grid-look';
import { LiveQuery } from './live-query';
import type { LiveTableSink } from './live-table-sink';
import { LookReport } from './look-report';
import type { QuickFilter } from './quick-filter';
import { spokenSort } from './spoken-text';
import type { ExportPlan } from './table-export';
import type { Selection } from './selection';
import type { TableSpec } from './table-spec';

/** How long typing must rest before a filter is sent, in milliseconds. */
export const TYPING_PAUSE = 250;

/** The behaviour of a live grid: what to ask the hub, what to draw, what keys and clicks do. */
export class LiveTable {
  /** Order, filters and columns as the viewer chose them. */
  readonly query: LiveQuery;
  private readonly feed: GridFeed;
  private readonly report: LookReport;
  private typing: ReturnType<typeof setTimeout> | undefined;
  private stopFinding: () => void = () => undefined;

  constructor(
    private readonly spec: TableSpec,
    private readonly hub: Pick<TableHub, 'subscribe'>,
    frames: Frames,
    private readonly sink: LiveTableSink,
    clock: () => number = Date.now,
    filters: readonly Filter[] = [],
    look: GridLook = PLAIN_LOOK,
  ) {
    this.query = new LiveQuery(spec);
    this.query.apply(look);
    this.query.restrict(filters);
    this.report = new LookReport(
      () => this.look(),
      (changed) => this.sink.looked?.(changed),
      look,
    );
    this.feed = new GridFeed(spec, this.query, hub, frames, sink, clock);
    this.goToKey(look.top);
  }

  /** Tells the height available to rows, in pixels. */
  resize(height: number): void {
    this.feed.scroll.resize(height);
    this.feed.follow();
  }

  /** Tells the height of a row, in pixels. */
  setRowHeight(height: number): void {
    this.feed.scroll.setRowHeight(height);
    this.feed.follow();
  }

  /** Tells where the viewer has scrolled to. */
  scrolledTo(scrollTop: number): void {
    if (this.feed.scroll.scrolledTo(scrollTop)) {
      this.moved();
    }
  }

  /** Scrolls by pixels of rows, exact even where the scroll bar is too coarse. */
  scrollBy(pixels: number): void {
    this.feed.scroll.scrollBy(pixels);
    this.moved();
  }

  /** Goes to a page. */
  goTo(page: 'first' | 'prev' | 'next' | 'last'): void {
    this.feed.scroll.goTo(page);
    this.moved();
  }

  /** Sorts by a column, the other way round, or no longer; with `add` beside the other columns. */
  toggleSort(column: string, add = false): void {
    this.query.cycleSort(column, add);
    this.sorted();
  }

  /** Sorts by a column in that direction, or no longer; with `add` beside the other columns. */
  setSort(column: string, direction: Sort['direction'] | null, add: boolean): void {
    this.query.setSort(column, direction, add);
    this.sorted();
  }

  /** Shows only the rows that pass the page's filters, beside those of the viewer. */
  restrict(filters: readonly Filter[]): void {
    if (this.query.restrict(filters)) {
      this.askFromTop();
    }
  }

  /** Filters by what has been typed, once the typing rests. */
  typeFilter(column: string, text: string): void {
    this.query.setFilterText(column, text);
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.askFromTop(), TYPING_PAUSE);
    this.report.soon();
  }

  /** Filters by what was chosen in the menu of a column, or no longer. */
  setQuickFilter(column: string, quick: QuickFilter | null): void {
    this.query.setQuickFilter(column, quick);
    this.askFromTop();
    this.report.soon();
  }

  /** Shows or hides a column. */
  setHidden(column: string, hidden: boolean): void {
    this.query.setHidden(column, hidden);
    this.feed.ask('here');
    this.arranged(`${this.labelOf(column)} ${hidden ? 'hidden' : 'shown'}`);
  }

  /** Moves a visible column to a place among them. */
  moveColumn(column: string, place: number): void {
    const at = this.query.layout.move(column, place);
    this.arranged(`${this.labelOf(column)} is column ${at + 1}`);
  }

  /** Gives columns their widths; null is a column's own. */
  setWidths(widths: readonly { readonly column: string; readonly width: number | null }[]): void {
    widths.forEach(({ column, width }) => this.query.layout.setWidth(column, width));
    this.arranged();
  }

  /** Freezes so many of the first columns. */
  freeze(count: number): void {
    this.query.layout.freeze(count);
    this.arranged(count === 0 ? 'No column is frozen' : `Columns frozen: ${count}`);
  }

  /** Arranges the columns as they were at first. */
  resetColumns(): void {
    this.query.layout.apply({});
    this.feed.ask('here');
    this.arranged('Columns as at first');
  }

  /** How the viewer sees the grid now. */
  look(): GridLook {
    const row = this.feed.scroll.topRow;
    const key = row === null ? null : (this.feed.models.at(row)?.key ?? null);
    return { ...this.query.look(), ...(key === null ? {} : { top: key.split('\u0000') }) };
  }

  /** Shows the grid like that; nothing happens if it is the look that was told last. */
  apply(look: GridLook): void {
    if (this.report.knows(look)) {
      return;
    }
    this.report.learn(look);
    this.query.apply(look);
    this.stopFinding();
    this.feed.scroll.goTo('first');
    this.feed.ask('here');
    this.feed.follow();
    this.goToKey(look.top);
  }

  /** Holds the rows as they are, until resumed. */
  pause(): void {
    this.feed.pause();
    this.sink.say?.('Paused');
  }

  /** Shows the newest rows, and all that follow. */
  resume(): void {
    this.feed.resume();
    this.sink.say?.('Live again');
  }

  /** Moves the cursor; returns whether the key is one that does. */
  press(key: string, extend: boolean): boolean {
    const bounds = {
      rows: this.feed.scroll.total,
      columns: this.query.visible().length,
      page: this.feed.scroll.page,
    };
    const row = this.feed.cursor.press(key, extend, bounds);
    if (row !== null) {
      this.feed.scroll.reveal(row);
      this.moved();
    }
    return row !== null;
  }

  /** Puts the cursor on a cell, or extends the selected rows to it. */
  pick(row: number, column: number, extend: boolean): void {
    this.feed.cursor.pick(row, column, extend);
    this.feed.follow();
  }

  /** The cell under the cursor, be it drawn yet or not; null if there is none. */
  get cursor(): Selection | null {
    return this.feed.cursor.selection;
  }

  /** How to follow the row under the cursor with all its columns; null if there is none. */
  details(): DetailsTarget | null {
    const row = this.feed.cursor.selection?.row;
    const cells = row === undefined ? undefined : this.feed.models.at(row)?.cells;
    return row !== undefined && cells && this.feed.shown
      ? detailsTarget(this.spec, this.query.query(), this.feed.shown.columns, cells, row)
      : null;
  }

  /** The tooltip of a cell: the whole text, or the date of a time. */
  titleOf(row: number, column: number): string {
    const shown = this.query.visible()[column];
    const cells = this.feed.models.at(row)?.cells;
    return shown && cells ? titleOf(cells[shown.index] ?? null, shown.format) : '';
  }

  /** What Ctrl-C copies: the cell under the cursor or the selected rows that are loaded. */
  copyText(): string | null {
    const { selection, range } = this.feed.cursor;
    const visible = this.query.visible();
    const column = selection && visible[selection.column];
    if (!column || !range) {
      return null;
    }
    if (selection.rows) {
      return toTsv(exportRows(this.feed.models, visible, range));
    }
    const cell = this.feed.models.at(selection.row)?.cells[column.index] ?? null;
    return exportCell(cell, column.format);
  }

  /** The visible rows as CSV, with a line of column names. */
  csv(): string {
    const visible = this.query.visible();
    const names = visible.map(({ info }) => info.name);
    return toCsv([names, ...exportRows(this.feed.models, visible, this.feed.scroll.visible())]);
  }

  /** What an export of all rows that pass the filters is made of: the visible columns, in order. */
  exportPlan(): ExportPlan {
    const columns = this.query.visible().map(({ info, format }) => ({ ...info, format }));
    const known = new Set(this.feed.shown?.columns.map(({ name }) => name));
    const key = this.spec.key.every((name) => known.has(name)) ? this.spec.key : [];
    return { query: this.query.query(), columns, key };
  }

  /** Says that what comes next was not waited for, as after the page was hidden. */
  skipMeasuring(): void {
    this.feed.skipMeasuring();
  }

  /** Lets go of everything. */
  close(): void {
    clearTimeout(this.typing);
    this.report.stop();
    this.stopFinding();
    this.feed.close();
  }

  private askFromTop(): void {
    if (this.feed.ask('top')) {
      this.stopFinding();
    }
  }

  /** The viewer has gone somewhere. */
  private moved(): void {
    this.stopFinding();
    this.feed.follow();
    this.report.soon();
  }

  private sorted(): void {
    this.askFromTop();
    this.report.soon();
    this.sink.say?.(spokenSort(this.query.sorts, this.labelOf));
  }

  private arranged(spoken?: string): void {
    this.feed.redraw();
    this.report.soon();
    if (spoken) {
      this.sink.say?.(spoken);
    }
  }

  private readonly labelOf = (column: string) => this.query.layout.specOf(column).label;

  /** Goes to the row with that key, once it is found; not if the viewer goes elsewhere first. */
  private goToKey(key: readonly string[] | undefined): void {
    if (!key || key.length !== this.spec.key.length) {
      return;
    }
    this.stopFinding = findRow(this.hub, this.query.query(), this.spec.key, key, (row) => {
      if (row !== null) {
        this.feed.scroll.seek(row);
        this.feed.follow();
      }
    });
  }
}

import type { RowWindow } from '../deephaven/query';
import { clamp, scrollMap, type ScrollMap } from './scroll-map';

/** The height of a row in pixels, unless another is set. */
export const ROW_HEIGHT = 24;
/** Rows fetched beyond the visible ones, on either side. */
const OVERSCAN = 8;
/** Windows start at multiples of this, so that a small scroll asks for nothing new. */
const STEP = 8;

/** Where a grid is scrolled to: the row at the top, exact, whatever the scroll bar can express. */
export class RowScroll {
  /** Rows in the whole table. */
  total = 0;
  private top = 0;
  /** The row the viewer went to; a table that shrinks and grows again comes back to it. */
  private home = 0;
  /** The rows that can be drawn. */
  private loaded: RowWindow = { first: 0, last: -1 };
  /** Whether the visible rows have been loaded since the viewer moved. */
  private settled = false;
  private height = 400;
  private rowHeight = ROW_HEIGHT;
  private version = 0;
  private scrollTop = 0;
  private map: ScrollMap = scrollMap(0, ROW_HEIGHT, this.height);

  /** How many whole rows fit. */
  get page(): number {
    return Math.max(1, Math.floor(this.map.fits));
  }

  /** How many rows the window asks for. */
  get windowSize(): number {
    const { first, last } = this.window();
    return last - first + 1;
  }

  /** Sets the height available to rows. */
  resize(height: number): void {
    this.height = height;
    this.settled = false;
    this.remap();
  }

  /** Sets the height of a row, keeping the row at the top. */
  setRowHeight(rowHeight: number): void {
    this.rowHeight = rowHeight;
    this.settled = false;
    this.remap();
    this.place(this.goal);
  }

  /** Goes to a row; to one that is not known to be there, as soon as it is. */
  seek(row: number): void {
    this.home = row;
    this.settled = false;
    this.place(this.goal);
  }

  /** Whether all rows that can be seen are loaded. */
  get isShown(): boolean {
    return this.isLoaded(this.top);
  }

  /** The row at the top, if the viewer has left the top of the table. */
  get topRow(): number | null {
    return this.top < 1 ? null : Math.floor(this.top + 0.5);
  }

  /**
   * Sets the number of rows and which of them are loaded, keeping the row at the top. Only the
   * viewer can go to rows that are not loaded: else it stays among those that are until they come.
   */
  setRows(total: number, loaded: RowWindow): void {
    this.loaded = loaded;
    if (total !== this.total) {
      this.total = total;
      this.remap();
    } else if (this.isAstray()) {
      this.place(this.nearest());
    }
    this.settled = this.isLoaded(this.top);
  }

  /** Takes over a scroll position of the page; returns whether it moved. */
  scrolledTo(scrollTop: number): boolean {
    if (Math.abs(scrollTop - this.scrollTop) < 1) {
      return false; // The echo of our own scrolling, rounded to a pixel.
    }
    this.scrollTop = scrollTop;
    this.top = this.home = this.map.topAt(scrollTop);
    this.settled = false;
    return true;
  }

  /** Scrolls by pixels of rows. */
  scrollBy(pixels: number): void {
    this.moveTo(this.top + pixels / this.rowHeight);
  }

  /** Goes to a page. */
  goTo(page: 'first' | 'prev' | 'next' | 'last'): void {
    const tops = {
      first: 0,
      prev: Math.ceil(this.top) - this.page,
      next: Math.floor(this.top) + this.page,
      last: this.map.lastTop,
    };
    this.moveTo(tops[page]);
  }

  /** Scrolls just as far as needed to show a row. */
  reveal(row: number): void {
    if (row < this.top) {
      this.moveTo(row);
    } else if (row + 1 > this.top + this.map.fits) {
      this.moveTo(row + 1 - this.map.fits);
    }
  }

  /** The first and last row that can be seen, even in part. */
  visible(): readonly [number, number] {
    return this.visibleAt(this.top);
  }

  /** The rows to ask the server for. */
  window(): RowWindow {
    const first = Math.max(0, Math.floor((this.goal - OVERSCAN) / STEP) * STEP);
    const page = Math.ceil(this.map.fits);
    const rows = page + 2 * OVERSCAN + STEP;
    return { first, last: first + rows - 1, page };
  }

  /** What the drawing needs to know. */
  geometry() {
    const [first, last] = this.visible();
    const whole = Math.min(this.total, Math.floor(this.top + this.map.fits + 0.001));
    return {
      shift: Math.round((this.top - first) * this.rowHeight),
      contentHeight: this.map.contentHeight,
      scaled: this.map.scaled,
      scrollTop: this.scrollTop,
      scrollVersion: this.version,
      from: this.total === 0 ? 0 : Math.ceil(this.top - 0.001) + 1,
      to: Math.max(whole, Math.min(last + 1, 1)),
    };
  }

  /** The viewer's row, or the last that can be at the top. */
  private get goal(): number {
    return clamp(this.home, 0, this.map.lastTop);
  }

  /** Whether it is not at its goal, or there without rows although the viewer has not moved. */
  private isAstray(): boolean {
    return this.top !== this.goal || (this.settled && !this.isLoaded(this.top));
  }

  /** The goal if its rows are loaded, else the nearest row below which there is no blank. */
  private nearest(): number {
    const { first, last } = this.loaded;
    return this.isLoaded(this.goal)
      ? this.goal
      : clamp(this.goal, first, Math.floor(last + 1 - this.map.fits));
  }

  private isLoaded(row: number): boolean {
    const [top, bottom] = this.visibleAt(row);
    return top >= this.loaded.first && bottom <= this.loaded.last;
  }

  private visibleAt(top: number): readonly [number, number] {
    return [Math.floor(top), Math.min(this.total, Math.ceil(top + this.map.fits)) - 1];
  }

  private moveTo(top: number): void {
    this.home = clamp(top, 0, this.map.lastTop);
    this.settled = false;
    this.place(this.home);
  }

  private place(top: number): void {
    this.top = clamp(top, 0, this.map.lastTop);
    this.scrollTop = this.map.scrollTopOf(this.top);
    this.version++;
  }

  private remap(): void {
    this.map = scrollMap(this.total, this.rowHeight, this.height);
    if (this.isAstray()) {
      this.place(this.nearest());
    } else if (this.map.scaled) {
      this.place(this.goal);
    }
  }
}

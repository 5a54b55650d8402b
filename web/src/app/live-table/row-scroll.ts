import type { RowWindow } from '../deephaven/query';
import { clamp, scrollMap, type ScrollMap } from './scroll-map';

/** The height of a row in pixels. */
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
  private height = 400;
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
    this.remap();
  }

  /** Sets the number of rows, keeping the row at the top. */
  setTotal(total: number): void {
    if (total !== this.total) {
      this.total = total;
      this.remap();
    }
  }

  /** Takes over a scroll position of the page; returns whether it moved. */
  scrolledTo(scrollTop: number): boolean {
    if (Math.abs(scrollTop - this.scrollTop) < 1) {
      return false; // The echo of our own scrolling, rounded to a pixel.
    }
    this.scrollTop = scrollTop;
    this.top = this.home = this.map.topAt(scrollTop);
    return true;
  }

  /** Scrolls by pixels of rows. */
  scrollBy(pixels: number): void {
    this.moveTo(this.top + pixels / ROW_HEIGHT);
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
    const first = Math.floor(this.top);
    return [first, Math.min(this.total, Math.ceil(this.top + this.map.fits)) - 1];
  }

  /** The rows to ask the server for. */
  window(): RowWindow {
    const first = Math.max(0, Math.floor((this.top - OVERSCAN) / STEP) * STEP);
    const rows = Math.ceil(this.map.fits) + 2 * OVERSCAN + STEP;
    return { first, last: first + rows - 1 };
  }

  /** What the drawing needs to know. */
  geometry() {
    const [first, last] = this.visible();
    const whole = Math.min(this.total, Math.floor(this.top + this.map.fits + 0.001));
    return {
      shift: Math.round((this.top - first) * ROW_HEIGHT),
      contentHeight: this.map.contentHeight,
      scaled: this.map.scaled,
      scrollTop: this.scrollTop,
      scrollVersion: this.version,
      from: this.total === 0 ? 0 : Math.ceil(this.top - 0.001) + 1,
      to: Math.max(whole, Math.min(last + 1, 1)),
    };
  }

  private moveTo(top: number): void {
    this.home = clamp(top, 0, this.map.lastTop);
    this.place(this.home);
  }

  private place(top: number): void {
    this.top = clamp(top, 0, this.map.lastTop);
    this.scrollTop = this.map.scrollTopOf(this.top);
    this.version++;
  }

  private remap(): void {
    this.map = scrollMap(this.total, ROW_HEIGHT, this.height);
    if (this.map.scaled || this.top !== clamp(this.home, 0, this.map.lastTop)) {
      this.place(this.home);
    }
  }
}

/** Browsers cap the height of an element near 17 to 33 million pixels; beyond this the scroll is scaled. */
export const MAX_CONTENT_HEIGHT = 8_000_000;

/** How the pixels of a scroll bar map to the rows of a table. */
export interface ScrollMap {
  /** The height of the scrolled content, in pixels. */
  readonly contentHeight: number;
  /** Whether a pixel of the scroll bar stands for more than a pixel of rows. */
  readonly scaled: boolean;
  /** The largest row, with a fraction, that can be at the top. */
  readonly lastTop: number;
  /** How many rows fit, with a fraction. */
  readonly fits: number;
  /** The row, with a fraction, at the top for a scroll position. */
  topAt(scrollTop: number): number;
  /** The scroll position that brings a row to the top. */
  scrollTopOf(row: number): number;
}

/** Maps the scroll positions of a view of that height to the rows of a table. */
export function scrollMap(
  total: number,
  rowHeight: number,
  viewHeight: number,
  maxHeight = MAX_CONTENT_HEIGHT,
): ScrollMap {
  const natural = total * rowHeight;
  const contentHeight = Math.min(natural, maxHeight);
  const fits = viewHeight / rowHeight;
  const lastTop = Math.max(0, total - fits);
  const scrollRange = Math.max(0, contentHeight - viewHeight);
  const rowsPerPixel = scrollRange > 0 ? lastTop / scrollRange : 0;
  return {
    contentHeight,
    scaled: natural > maxHeight,
    lastTop,
    fits,
    topAt: (scrollTop) => clamp(scrollTop * rowsPerPixel, 0, lastTop),
    scrollTopOf: (row) => (rowsPerPixel > 0 ? clamp(row, 0, lastTop) / rowsPerPixel : 0),
  };
}

/** The value, or the nearer end of the range. */
export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), Math.max(low, high));
}

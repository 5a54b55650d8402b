import { beforeEach, describe, expect, it } from 'vitest';
import { ROW_HEIGHT, RowScroll } from './row-scroll';

let scroll: RowScroll;

/** Tells the number of rows; all are loaded unless said otherwise. */
function has(total: number, loaded = { first: 0, last: total - 1 }): void {
  scroll.setRows(total, loaded);
}

beforeEach(() => {
  scroll = new RowScroll();
  scroll.resize(10 * ROW_HEIGHT);
  has(1_000);
});

describe('RowScroll', () => {
  it('goes by pages and says which rows are shown', () => {
    expect(scroll.geometry()).toMatchObject({ from: 1, to: 10 });
    scroll.goTo('next');
    expect(scroll.geometry()).toMatchObject({ from: 11, to: 20 });
    scroll.goTo('prev');
    expect(scroll.geometry()).toMatchObject({ from: 1, to: 10 });
    scroll.goTo('last');
    expect(scroll.geometry()).toMatchObject({ from: 991, to: 1_000 });
    scroll.goTo('next');
    expect(scroll.geometry()).toMatchObject({ from: 991, to: 1_000 });
    scroll.goTo('first');
    expect(scroll.visible()).toEqual([0, 9]);
  });

  it('asks for a few rows more than are visible', () => {
    scroll.scrolledTo(500 * ROW_HEIGHT);
    const { first, last } = scroll.window();
    expect(first).toBeLessThan(500);
    expect(last).toBeGreaterThan(510);
    expect(last - first).toBeLessThan(60);
  });

  it('asks for nothing new for a small scroll', () => {
    scroll.scrolledTo(500 * ROW_HEIGHT);
    const window = scroll.window();
    scroll.scrolledTo(501 * ROW_HEIGHT);
    expect(scroll.window()).toEqual(window);
  });

  it('ignores the echo of its own scrolling', () => {
    scroll.goTo('next');
    expect(scroll.scrolledTo(Math.round(scroll.geometry().scrollTop))).toBe(false);
  });

  it('scrolls just far enough to show a row', () => {
    scroll.reveal(5);
    expect(scroll.visible()[0]).toBe(0);
    scroll.reveal(14);
    expect(scroll.geometry()).toMatchObject({ from: 6, to: 15 });
    scroll.reveal(2);
    expect(scroll.visible()[0]).toBe(2);
  });

  it('comes back to the viewer’s row when a table shrinks and grows again', () => {
    scroll.scrolledTo(500 * ROW_HEIGHT);
    has(20);
    expect(scroll.geometry().to).toBe(20);
    has(1_000);
    expect(scroll.visible()[0]).toBe(500);
  });

  it('moves by single rows in a table of many millions', () => {
    has(100_000_000);
    scroll.goTo('last');
    expect(scroll.geometry().to).toBe(100_000_000);
    scroll.scrollBy(-ROW_HEIGHT);
    expect(scroll.geometry().to).toBe(99_999_999);
  });

  it('stays among the loaded rows until those it comes back to are there', () => {
    scroll.scrolledTo(500 * ROW_HEIGHT);
    has(20);
    has(1_000, { first: 0, last: 33 });
    expect(scroll.visible()).toEqual([24, 33]);
    expect(scroll.window().first).toBeGreaterThan(480);
    has(1_000, { first: 488, last: 521 });
    expect(scroll.visible()).toEqual([500, 509]);
  });

  it('goes to the end of a shorter table at once when its rows are loaded', () => {
    scroll.resize(9.5 * ROW_HEIGHT);
    scroll.scrolledTo(500 * ROW_HEIGHT);
    has(100, { first: 67, last: 99 });
    expect(scroll.visible()).toEqual([90, 99]);
    expect(scroll.geometry().to).toBe(100);
  });

  it('goes to the loaded rows when its own are gone, and comes back', () => {
    scroll.scrolledTo(500 * ROW_HEIGHT);
    has(1_000, { first: 488, last: 521 });
    has(1_000, { first: 32, last: 65 });
    expect(scroll.visible()).toEqual([56, 65]);
    has(1_000, { first: 488, last: 521 });
    expect(scroll.visible()).toEqual([500, 509]);
  });

  it('lets the viewer go to rows that are not loaded', () => {
    has(1_000, { first: 0, last: 33 });
    scroll.scrolledTo(500 * ROW_HEIGHT);
    has(1_001, { first: 0, last: 33 });
    expect(scroll.visible()[0]).toBe(500);
  });
});

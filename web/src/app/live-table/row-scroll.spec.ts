import { beforeEach, describe, expect, it } from 'vitest';
import { ROW_HEIGHT, RowScroll } from './row-scroll';

let scroll: RowScroll;

beforeEach(() => {
  scroll = new RowScroll();
  scroll.resize(10 * ROW_HEIGHT);
  scroll.setTotal(1_000);
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
    scroll.setTotal(20);
    expect(scroll.geometry().to).toBe(20);
    scroll.setTotal(1_000);
    expect(scroll.visible()[0]).toBe(500);
  });

  it('moves by single rows in a table of many millions', () => {
    scroll.setTotal(100_000_000);
    scroll.goTo('last');
    expect(scroll.geometry().to).toBe(100_000_000);
    scroll.scrollBy(-ROW_HEIGHT);
    expect(scroll.geometry().to).toBe(99_999_999);
  });
});

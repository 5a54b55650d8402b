import { describe, expect, it } from 'vitest';
import { columnTrack, revealLeft } from './column-track';
import type { ColumnView } from './grid-view';

const column = (width: number, more: Partial<ColumnView> = {}) =>
  ({ width, resized: false, frozen: false, ...more }) as ColumnView;

describe('columnTrack', () => {
  it('lets columns take the room that is left, but for those resized', () => {
    const track = columnTrack([column(100), column(50, { resized: true })], 400);
    expect(track.template).toBe('minmax(100px, 100fr) 50px');
    expect(track.minWidth).toBe(150);
  });

  it('fills the rest of a row in which all are resized', () => {
    expect(columnTrack([column(50, { resized: true })], 400).template).toBe('50px minmax(0, 1fr)');
  });

  it('freezes the first ones only where there is something to scroll', () => {
    const columns = [column(80, { frozen: true }), column(60, { frozen: true }), column(400)];
    expect(columnTrack(columns, 900).lefts).toEqual([]);
    expect(columnTrack(columns, 300)).toMatchObject({
      template: '80px 60px minmax(400px, 400fr)',
      lefts: [0, 80],
    });
  });

  it('freezes nothing where the frozen ones would leave no room', () => {
    const columns = [column(200, { frozen: true }), column(400)];
    expect(columnTrack(columns, 250).lefts).toEqual([]);
  });
});

describe('revealLeft', () => {
  const view = { left: 100, right: 500, frozen: 80 };

  it('scrolls as far as a cell is hidden, at the right or behind the frozen ones', () => {
    expect(revealLeft(40, view, { left: 480, right: 560 })).toBe(100);
    expect(revealLeft(40, view, { left: 170, right: 250 })).toBe(30);
    expect(revealLeft(40, view, { left: 200, right: 300 })).toBe(40);
  });
});

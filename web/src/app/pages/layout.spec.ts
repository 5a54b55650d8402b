import { describe, expect, it } from 'vitest';
import type { Card } from '../catalogue/cards';
import { COLUMNS, layoutOf } from './layout';

const card = (kind: Card['kind'], width: number) => ({ kind, width });
const TILES = [3, 3, 3, 3].map((width) => card('tile', width));
const CARDS = [7, 5, 5, 4, 3, 6, 6].map((width) => card('grid', width));

/** The spans of each row. */
function rows(cards: ReturnType<typeof card>[], pageWidth: number): number[][] {
  const found: number[][] = [];
  for (const { row, span } of layoutOf(cards, pageWidth).places) {
    (found[row - 1] ??= []).push(span);
  }
  return found;
}

describe('layoutOf', () => {
  it('takes widths as twelfths of a usual screen', () => {
    expect(rows([...TILES, ...CARDS], 1420)).toEqual([
      [30, 30, 30, 30],
      [70, 50],
      [50, 40, 30],
      [60, 60],
    ]);
    expect(layoutOf([card('grid', 7), card('list', 5)], 1280).places).toEqual([
      { row: 1, column: 1, span: 70 },
      { row: 1, column: 71, span: 50 },
    ]);
  });

  it('does not stretch a row that leaves room on a usual screen', () => {
    expect(rows([card('grid', 8), card('grid', 8)], 1280)).toEqual([[80], [80]]);
  });

  it('needs fewer rows on a wall screen, and fills them', () => {
    const wide = rows([...TILES, ...CARDS], 3820);
    expect(wide.map((row) => row.length)).toEqual([4, 3, 4]);
    expect(wide.map((row) => row.reduce((a, b) => a + b))).toEqual([COLUMNS, COLUMNS, COLUMNS]);
  });

  it('keeps four large cards two by two on any screen that is wide enough', () => {
    const four = Array.from({ length: 4 }, () => card('grid', 6));
    expect(rows(four, 1280)).toEqual(Array(2).fill([60, 60]));
    expect(rows(four, 3820)).toEqual(Array(2).fill([60, 60]));
    expect(rows(four, 800)).toEqual(Array(4).fill([120]));
  });

  it('puts two tiles side by side on a tablet, and everything below each other on a phone', () => {
    expect(rows([...TILES, ...CARDS], 800).slice(0, 4)).toEqual([[60, 60], [60, 60], [120], [120]]);
    expect(rows([...TILES, ...CARDS], 390)).toEqual(Array(11).fill([120]));
  });

  it('keeps tiles low and apart from what is high', () => {
    const mixed = [card('tile', 3), card('grid', 6), card('tile', 3)];
    expect(layoutOf(mixed, 1280).rows).toBe('max-content minmax(290px, 1fr) max-content');
    expect(layoutOf([], 1280)).toEqual({ places: [], rows: '' });
  });
});

import type { Card } from '../catalogue/cards';

/** Columns of the grid that cards are laid out on: fine enough for any share of a row. */
export const COLUMNS = 120;
/** Twelfths that the widths of cards are in. */
const TWELFTHS = 12;

/** Where a card stands. */
export interface Place {
  /** Counted from one. */
  readonly row: number;
  readonly column: number;
  readonly span: number;
}

/** Where all cards stand, and how high the rows are, as CSS. */
export interface Layout {
  readonly places: readonly Place[];
  readonly rows: string;
}

type Sized = Pick<Card, 'kind' | 'width'>;

/**
 * Lays cards out in their order. Widths are twelfths of the page; on a wall screen a row has room
 * for half as much again, on a tablet for half, and on a phone for one card. Other rows than those
 * of twelfths are about equally full, and their cards share all of the room.
 */
export function layoutOf(cards: readonly Sized[], pageWidth: number): Layout {
  const rows = runsOf(cards).flatMap((run) => rowsOf(run, pageWidth));
  const height = pageWidth < 1800 ? 290 : 320;
  return {
    places: rows.flatMap(({ spans }, n) => placesIn(spans, n + 1)),
    rows: rows.map(({ low }) => (low ? 'max-content' : `minmax(${height}px, 1fr)`)).join(' '),
  };
}

interface Row {
  readonly spans: readonly number[];
  /** Whether it is as high as what is in it, and not more. */
  readonly low: boolean;
}

/** Cards in a row, those that are low apart from those that are high. */
function runsOf(cards: readonly Sized[]): readonly (readonly Sized[])[] {
  const runs: Sized[][] = [];
  for (const card of cards) {
    const run = runs.at(-1);
    if (run && isLow(run[0] as Sized) === isLow(card)) {
      run.push(card);
    } else {
      runs.push([card]);
    }
  }
  return runs;
}

function rowsOf(run: readonly Sized[], pageWidth: number): readonly Row[] {
  const low = isLow(run[0] as Sized);
  const widths = run.map(({ width }) => width);
  const room = roomOf(pageWidth, low);
  if (room === TWELFTHS) {
    const share = COLUMNS / TWELFTHS;
    return filled(widths, room).map((row) => ({ spans: row.map((w) => w * share), low }));
  }
  const rows = room === 0 ? widths.map((width) => [width]) : balanced(widths, room);
  return rows.map((row) => ({ spans: stretched(row), low }));
}

/** How many twelfths stand side by side; 0 for one card alone. */
function roomOf(pageWidth: number, low: boolean): number {
  if (pageWidth < 560) {
    return 0;
  }
  if (pageWidth < 1100) {
    return TWELFTHS / 2;
  }
  return pageWidth < 1800 || low ? TWELFTHS : TWELFTHS * 1.5;
}

/** As many as fit into each row. */
function filled(widths: readonly number[], room: number): readonly (readonly number[])[] {
  const rows: number[][] = [];
  for (const width of widths) {
    const row = rows.at(-1);
    if (row && sum(row) + width <= room) {
      row.push(width);
    } else {
      rows.push([width]);
    }
  }
  return rows;
}

/** In as few rows as could hold all of it, none fuller than it must be. */
function balanced(widths: readonly number[], room: number): readonly (readonly number[])[] {
  const count = Math.ceil(sum(widths) / room);
  for (let most = Math.max(...widths); ; most++) {
    const rows = filled(widths, most);
    if (rows.length <= count) {
      return rows;
    }
  }
}

/** Widths as shares of a whole row, without a gap at its end. */
function stretched(widths: readonly number[]): readonly number[] {
  const whole = sum(widths);
  const edges = widths.map((_, n) => Math.round((sum(widths.slice(0, n + 1)) / whole) * COLUMNS));
  return edges.map((edge, n) => edge - (edges[n - 1] ?? 0));
}

function placesIn(spans: readonly number[], row: number): readonly Place[] {
  return spans.map((span, n) => ({ row, column: 1 + sum(spans.slice(0, n)), span }));
}

function isLow({ kind }: Sized): boolean {
  return kind === 'tile';
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

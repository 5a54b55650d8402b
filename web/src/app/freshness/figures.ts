import type { RecordReader } from '../live-rows/read-records';

/** One number that a part reported, and what it is about; empty or null where nothing applies. */
export interface Figure {
  readonly part: string;
  readonly measure: string;
  readonly flow: string;
  readonly generation: number;
  readonly topic: string;
  readonly partition: number | null;
  readonly label: string;
  readonly value: number;
  readonly note: string;
}

/** More rows of `health` than there are: of each source partition it has two. */
export const MOST_FIGURES = 20_000;

/** A part and how it is. */
export interface PartHealth {
  readonly part: string;
  readonly up: boolean;
  /** What it says of itself. */
  readonly note: string;
}

/** Reads a row of `health`. */
export function readFigure(row: RecordReader): Figure {
  return {
    part: row.text('part'),
    measure: row.text('measure'),
    flow: row.text('flow'),
    generation: row.number('generation') ?? 0,
    topic: row.text('topic'),
    partition: row.number('partition'),
    label: row.text('label'),
    value: row.number('value') ?? 0,
    note: row.text('note'),
  };
}

/** The parts, by name. */
export function partsOf(figures: readonly Figure[]): PartHealth[] {
  return figures
    .filter(({ measure }) => measure === 'up')
    .map(({ part, value, note }) => ({ part, up: value > 0, note }))
    .sort((a, b) => a.part.localeCompare(b.part));
}

/** The sum of figures; null if there are none. */
export function total(figures: readonly Figure[]): number | null {
  return figures.length === 0 ? null : figures.reduce((sum, { value }) => sum + value, 0);
}

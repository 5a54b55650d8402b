import type { Format } from '../format/cell-text';

/** What every card of a page has. */
interface CardBase {
  /** What hooks and links call it; no other card of the page has the same. */
  readonly name: string;
  readonly title: string;
  /** Twelfths of the page. */
  readonly width: number;
  /** One line about what it shows. */
  readonly hint: string;
  /** What stands in place of rows when there are none. */
  readonly empty: string;
  /** The tables it shows; only a grid has more than one. */
  readonly tables: readonly string[];
}

/** A live table, or several to switch between. */
export interface GridCard extends CardBase {
  readonly kind: 'grid';
  /** What each table is called on the switch. */
  readonly forms: readonly string[];
  /** The columns that are shown at first, in order; all of them if there are none. */
  readonly columns: readonly string[];
  /** The column of the first order, with a `-` before it for descending. */
  readonly sort: string;
}

/** One figure with a detail below it and a trend beside it. */
export interface TileCard extends CardBase {
  readonly kind: 'tile';
  readonly value: string;
  /** A second column, for what went the other way. */
  readonly down: string;
  /** A text with columns in braces. */
  readonly detail: string;
  /** A table with the same column over `bucket`; without it the page remembers what it saw. */
  readonly trend: string;
  readonly unit: string;
  readonly format: string;
}

/** Horizontal bars by category. */
export interface BarsCard extends CardBase {
  readonly kind: 'bars';
  readonly x: string;
  readonly y: string;
  /** The column whose values have a colour each; by the sign of `x` without it. */
  readonly colour: string;
  readonly detail: string;
  /** How many of the highest, and of the lowest, are drawn. */
  readonly rows: number;
  readonly format: string;
}

/** A line over time, or one for each chosen value of a column, side by side. */
export interface LinesCard extends CardBase {
  readonly kind: 'lines';
  readonly x: string;
  readonly y: string;
  readonly by: string;
  /** The column that weighs rows of the same time. */
  readonly weight: string;
  /** The table that has the values of `by` to choose from, and the column that ranks them. */
  readonly pick: string;
  readonly rank: string;
  readonly format: string;
}

/** The first rows of a table, or the highest and the lowest side by side. */
export interface ListCard extends CardBase {
  readonly kind: 'list';
  readonly columns: readonly string[];
  readonly rows: number;
  /** The column that says which rows are first; in the order of the table without it. */
  readonly by: string;
  readonly both: boolean;
  /** The table that takes the place of the first while the page is filtered. */
  readonly filtered: string;
}

/** A card as its flow declares it. */
export type Card = GridCard | TileCard | BarsCard | LinesCard | ListCard;

const KINDS: ReadonlySet<unknown> = new Set(['grid', 'tile', 'bars', 'lines', 'list']);

/** The cards of a page; those of a kind that this page does not know are left out. */
export function readCards(cards: unknown): readonly Card[] {
  const isKnown = (card: unknown): card is Card =>
    typeof card === 'object' && card !== null && KINDS.has((card as Partial<Card>).kind);
  return Array.isArray(cards) ? cards.filter(isKnown) : [];
}

/** How a declared format is called here; undefined if the column's type decides. */
export function formatOf(declared: string): Format | undefined {
  return declared === 'number' ? 'decimal' : ((declared || undefined) as Format | undefined);
}

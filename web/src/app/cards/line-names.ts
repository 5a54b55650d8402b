import type { Cells } from '../live-rows/read-records';
import { decodeToken, encodeToken } from '../grid/token-text';

/** How many names are read to choose from; whoever looks for another one types. */
export const MOST_NAMES = 500;

/** The part of an address that the lines of a chart are in. */
export function linesPart(card: string): string {
  return `lines.${card}`;
}

/** The names of lines as the text of their part. */
export function writeNames(names: readonly string[]): string {
  return names.map(encodeToken).join('.');
}

/** Reads such a text. */
export function readNames(text: string): readonly string[] {
  return text
    .split('.')
    .map(decodeToken)
    .filter((name): name is string => name !== null && name !== '');
}

/** The names in a column, each once; a row without one has no line. */
export function namesIn(rows: readonly Cells[], column: string): readonly string[] {
  return [...new Set(rows.map((row) => String(row[column] ?? '')))].filter(Boolean);
}

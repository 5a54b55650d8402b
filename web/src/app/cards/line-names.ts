import { decodeToken, encodeToken } from '../grid/token-text';

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

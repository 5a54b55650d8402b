import type { GridLook } from '../grid/grid-look';
import { decodeLook, encodeLook } from '../grid/look-text';
import { decodeToken, encodeToken } from '../grid/token-text';

/** What a grid shows: one of its forms, null for the first, and how. */
export interface GridLink {
  readonly form: string | null;
  readonly look: GridLook;
}

/** The part of an address that a grid is in. */
export function gridPart(card: string): string {
  return `grid.${card}`;
}

/** A grid as the text of its part; null if there is nothing to say. */
export function writeGrid({ form, look }: GridLink): string | null {
  const text = encodeLook(look);
  return form === null && text === '' ? null : `${encodeToken(form ?? '')}_${text}`;
}

/** Reads such a text. What it does not understand is as at first. */
export function readGrid(text = ''): GridLink {
  const [form, ...look] = text.split('_');
  return { form: decodeToken(form ?? '') || null, look: decodeLook(look.join('_')) };
}

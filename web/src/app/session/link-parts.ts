/** The part of an address behind its `?`, by name. */
export type LinkParts = Readonly<Record<string, string>>;
/** What is to be said otherwise; null is nothing. */
export type LinkChanges = Readonly<Record<string, string | null>>;

/** The card that a link leads to. */
export const CARD = 'card';
/** The card that fills the page. */
export const FILLED = 'full';
/** The value of the page's filter. */
export const FILTER = 'of';
/** Says that what the address does not say is as at first, whatever this tab keeps. */
const AT_FIRST = 'plain';

/** Parts with changes over them. */
export function withParts(parts: LinkParts, changes: LinkChanges): LinkParts {
  const found = Object.entries({ ...parts, ...changes });
  return Object.fromEntries(found.filter((part): part is [string, string] => part[1] !== null));
}

/** Whether two addresses say the same. */
export function sameParts(a: LinkParts, b: LinkParts): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

/** An address that leads to the same look in every tab; one without parts leads to what the tab keeps. */
export function sameEverywhere(url: string): string {
  return url.includes('?') ? url : `${url}?${AT_FIRST}=`;
}

const PLAIN = /^[A-Za-z0-9-]$/;
const ENCODED = /^(?:[A-Za-z0-9-]|~[0-9a-f]{2})*$/;

/** Any text in letters, digits, `-` and `~`: every other character is `~` and two hex digits a byte. */
export function encodeToken(text: string): string {
  return [...text]
    .map((character) => (PLAIN.test(character) ? character : escaped(character)))
    .join('');
}

/** The text again, or null if it was not made by `encodeToken`. */
export function decodeToken(token: string): string | null {
  if (!ENCODED.test(token)) {
    return null;
  }
  try {
    return decodeURIComponent(token.replaceAll('~', '%'));
  } catch {
    return null;
  }
}

function escaped(character: string): string {
  return [...new TextEncoder().encode(character)]
    .map((byte) => `~${byte.toString(16).padStart(2, '0')}`)
    .join('');
}

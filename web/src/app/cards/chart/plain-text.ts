/** How long a name in a chart may be. */
const LONGEST = 28;

/**
 * A text for a chart: in one line, not too long, and without the braces that a chart would read as
 * a style. It is drawn on a canvas, so markup in it stays text.
 */
export function plainText(text: string, longest = LONGEST): string {
  const line = text
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replaceAll('{', '(')
    .replaceAll('}', ')')
    .trim();
  const characters = [...line];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : line;
}

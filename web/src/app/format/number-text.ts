// The digits of a screen full of live numbers must not depend on the viewer's region.
const LOCALE = 'en-US';
const MINUS = '−';
const cents = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const fine = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 4, maximumFractionDigits: 4 });
const whole = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });
const tenth = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 });
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
const short = new Intl.NumberFormat(LOCALE, {
  notation: 'compact',
  minimumSignificantDigits: 3,
  maximumSignificantDigits: 3,
});

/** An amount in few characters, such as 12.4M. */
export function compactText(value: number): string {
  const size = Math.abs(value);
  // A cent decides which one it is, so that 999.999 is not written as 1,000.00.
  return withMinus(value, size < 999.995 ? cents.format(size) : short.format(size));
}

/** An amount in few characters with its sign, such as +12.4M. */
export function signedCompactText(value: number): string {
  return withPlus(value, compactText(value));
}

/** Money with its sign and two decimals. */
export function signedText(value: number): string {
  return withPlus(value, withMinus(value, cents.format(Math.abs(value))));
}

/** Per cent with its sign and two decimals. */
export function percentText(value: number): string {
  return `${signedText(value)} %`;
}

/**
 * A change in per cent, in few characters. A small one does not look like none, nor one that leaves
 * only a few like one that leaves none.
 */
export function percentChangeText(percent: number): string {
  return `${percent < 0 ? MINUS : '+'}${percentSizeText(Math.abs(percent))} %`;
}

/** A price: two decimals, four below ten, where they matter. */
export function priceText(value: number): string {
  const size = Math.abs(value);
  return withMinus(value, (size < 10 ? fine : cents).format(size));
}

/** Which way a number points; null for none, and for what is written as zero. */
export function signOf(value: number | null): 'up' | 'down' | null {
  if (value === null || Math.abs(value) < 0.005) {
    return null;
  }
  return value > 0 ? 'up' : 'down';
}

/** A whole number with separators. */
export function countText(value: number): string {
  return withMinus(value, whole.format(Math.abs(value)));
}

/** A whole number with separators and its sign. */
export function signedCountText(value: number): string {
  return withPlus(value, countText(value));
}

/** A number of things, by the word for one of them. */
export function manyText(value: number, word: string): string {
  return `${countText(value)} ${word}${value === 1 ? '' : 's'}`;
}

/** A size in memory or on a disk, such as 12.4 MB. */
export function bytesText(value: number): string {
  const power = Math.max(
    0,
    Math.min(Math.floor(Math.log10(Math.abs(value)) / 3), UNITS.length - 1),
  );
  const size = value / 1000 ** power;
  return `${withMinus(value, (power === 0 ? whole : tenth).format(Math.abs(size)))} ${UNITS[power]}`;
}

/** An amount without the zeros behind its point that say nothing, for an axis. */
export function axisText(value: number): string {
  return compactText(value)
    .replace(/(\.\d*?)0+(?=\D*$)/, '$1')
    .replace(/\.(?=\D*$)/, '');
}

/** A number that was written with a hyphen, with the sign that all others have. */
export function plainMinus(text: string): string {
  return text.replace('-', MINUS);
}

function percentSizeText(size: number): string {
  if (size < 0.1) {
    return '<0.1';
  }
  if (size > 99.9 && size < 100) {
    return '>99.9';
  }
  return size.toFixed(size < 10 || (size > 99 && size < 100) ? 1 : 0);
}

function withMinus(value: number, text: string): string {
  return value < 0 && /[1-9]/.test(text) ? MINUS + text : text;
}

function withPlus(value: number, text: string): string {
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

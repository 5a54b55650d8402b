/** First characters that make a spreadsheet read a text as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** A text that no spreadsheet runs as a formula; plain numbers stay as they are. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

/** Lines of comma-separated values, quoted where needed, safe to open in a spreadsheet. */
export function toCsv(lines: readonly (readonly string[])[]): string {
  const quote = (text: string) =>
    /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  return lines
    .map((line) => line.map((text) => quote(guardFormula(text))).join(',') + '\r\n')
    .join('');
}

/** Lines of tab-separated values for the clipboard; tabs and line breaks inside become spaces. */
export function toTsv(lines: readonly (readonly string[])[]): string {
  const flat = (text: string) => guardFormula(text).replace(/[\t\r\n]+/g, ' ');
  return lines.map((line) => line.map(flat).join('\t')).join('\n');
}

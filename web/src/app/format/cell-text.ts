import type { Cell, ColumnKind } from '../deephaven/decode';
import {
  bytesText,
  compactText,
  percentText,
  plainMinus,
  priceText,
  signedText,
} from './number-text';
import { dateText, dateTimeText, millisecondText } from './time-text';

/** How a column is written: by its kind, or as a number or a time of a certain sort. */
export type Format =
  ColumnKind | 'money' | 'price' | 'signed' | 'percent' | 'compact' | 'bytes' | 'date';

/** What stands in a cell that holds nothing. */
export const EMPTY = '–';

// The digits of a screen full of live numbers must not depend on the viewer's region.
const LOCALE = 'en-US';
const integer = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });
const decimal = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 6 });
const money = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** The text of a cell. */
export function formatCell(value: Cell, format: Format): string {
  if (value === null) {
    return EMPTY;
  }
  // A column may be declared as what it is not.
  if (typeof value === 'string' || typeof value === 'boolean') {
    return String(value);
  }
  switch (format) {
    case 'integer':
      return plainMinus(integer.format(value as number | bigint));
    case 'decimal':
      return plainMinus(decimal.format(value as number));
    case 'money':
      return plainMinus(money.format(value as number));
    case 'price':
      return priceText(value as number);
    case 'signed':
      return signedText(value as number);
    case 'percent':
      return percentText(value as number);
    case 'compact':
      return compactText(value as number);
    case 'bytes':
      return bytesText(value as number);
    case 'time':
      return millisecondText(Number(value));
    case 'date':
      return dateText(Number(value));
    default:
      return String(value);
  }
}

/** The tooltip of a cell: the date of a time, all digits of a number cut short, else the text. */
export function titleOf(value: Cell, format: Format): string {
  if (value === null) {
    return '';
  }
  if (format === 'compact' || format === 'price' || format === 'bytes') {
    return formatCell(value, 'decimal');
  }
  const isTime = (format === 'time' || format === 'date') && typeof value === 'number';
  return isTime ? dateTimeText(value) : formatCell(value, format);
}

const LEFT: ReadonlySet<Format> = new Set(['text', 'time', 'date', 'flag']);

/** Whether a column's values stand at the right. */
export function isRightAligned(format: Format): boolean {
  return !LEFT.has(format);
}

/** A value for another program: times as ISO, numbers without separators, nothing for null. */
export function exportCell(value: Cell, format: Format): string {
  if (value === null) {
    return '';
  }
  const isTime = (format === 'time' || format === 'date') && typeof value === 'number';
  return isTime ? new Date(value).toISOString() : String(value);
}

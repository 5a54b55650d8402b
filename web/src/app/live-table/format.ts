import type { Cell, ColumnKind } from '../deephaven/decode';
import { compactText, percentText, plainMinus, priceText, signedText } from './number-text';

/** How a column is written: by its kind, or as a number of a certain sort. */
export type Format = ColumnKind | 'money' | 'price' | 'signed' | 'percent' | 'compact';

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
    case 'time':
      return formatTime(value as number);
    default:
      return String(value);
  }
}

/** The tooltip of a cell: the date of a time, all digits of a number cut short, else the text. */
export function titleOf(value: Cell, format: Format): string {
  if (value === null) {
    return '';
  }
  if (format === 'compact' || format === 'price') {
    return formatCell(value, 'decimal');
  }
  return format === 'time' ? formatDateTime(value as number) : formatCell(value, format);
}

/** Whether a column's values stand at the right. */
export function isRightAligned(format: Format): boolean {
  return format !== 'text' && format !== 'time' && format !== 'flag';
}

/** A value for another program: times as ISO, numbers without separators, nothing for null. */
export function exportCell(value: Cell, format: Format): string {
  if (value === null) {
    return '';
  }
  return format === 'time' ? new Date(value as number).toISOString() : String(value);
}

/** A length of time in few characters. */
export function formatAge(milliseconds: number): string {
  if (milliseconds < 10_000) {
    return `${(Math.max(0, milliseconds) / 1000).toFixed(1)} s`;
  }
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < 120) {
    return `${seconds} s`;
  }
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}

function formatTime(epoch: number): string {
  const date = new Date(epoch);
  const part = (value: number, digits: number) => String(value).padStart(digits, '0');
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map((v) => part(v, 2));
  return `${clock.join(':')}.${part(date.getMilliseconds(), 3)}`;
}

function formatDateTime(epoch: number): string {
  const date = new Date(epoch);
  const part = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), part(date.getMonth() + 1), part(date.getDate())].join('-');
  return `${day} ${formatTime(epoch)}`;
}

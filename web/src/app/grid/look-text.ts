import type { ColumnKind } from '../deephaven/decode';
import type { FilterCell, Sort } from '../deephaven/query';
import { MAX_WIDTH, MIN_WIDTH } from './column-layout';
import type { ColumnFilter, GridLook } from './grid-look';
import { MAX_VALUES, type QuickFilter } from './quick-filter';
import { MAX_SORTS } from './sort-order';
import { decodeToken, encodeToken } from './token-text';

/** The longest text that is read; a longer one is no look. */
export const MAX_LOOK_TEXT = 6_000;
/** The most columns that a list names. */
const MAX_COLUMNS = 200;
/** The longest typed filter or key. */
const MAX_TEXT = 200;

const KINDS: Record<string, ColumnKind> = {
  t: 'text',
  i: 'integer',
  d: 'decimal',
  m: 'time',
  f: 'flag',
};

/**
 * A look as a short text that needs no escaping in a URL: parts joined by `_`, in each its letter
 * and tokens joined by `.`. A look too large for a link loses its filters' lists of values first.
 */
export function encodeLook(look: GridLook): string {
  const text = joined(look);
  if (text.length <= MAX_LOOK_TEXT) {
    return text;
  }
  const filters = look.filters?.filter(({ quick }) => quick?.kind !== 'oneOf');
  const shorter = joined({ ...look, filters });
  return shorter.length <= MAX_LOOK_TEXT ? shorter : '';
}

/** Reads such a text. What it does not understand it leaves out; it never throws. */
export function decodeLook(text: string): GridLook {
  if (text.length > MAX_LOOK_TEXT) {
    return {};
  }
  const look: Mutable<GridLook> = {};
  const filters = new Map<string, ColumnFilter>();
  for (const part of text.split('_')) {
    const [letter, ...tokens] = part.split('.').map(decodeToken);
    if (tokens.some((token) => token === null)) {
      continue;
    }
    readPart(letter ?? '', tokens as string[], look, filters);
  }
  if (filters.size > 0) {
    look.filters = [...filters.values()];
  }
  return look;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function joined(look: GridLook): string {
  const parts = [
    list('o', look.order),
    list('h', look.hidden),
    list('v', look.shown),
    list(
      'w',
      look.widths?.flatMap(({ column, width }) => [column, String(width)]),
    ),
    look.frozen === undefined ? [] : ['z', String(look.frozen)],
    look.sort ? ['s', ...look.sort.map(sortToken)] : [],
    ...(look.filters ?? []).flatMap(filterParts),
    list('k', look.top),
  ];
  return parts
    .filter((part) => part.length > 0)
    .map((part) => part.map(encodeToken).join('.'))
    .join('_');
}

function list(letter: string, tokens: readonly string[] | undefined): readonly string[] {
  return tokens && tokens.length > 0 ? [letter, ...tokens] : [];
}

function sortToken({ column, direction }: Sort): string {
  return (direction === 'asc' ? 'a' : 'd') + column;
}

function filterParts({ column, kind, text, quick }: ColumnFilter): (readonly string[])[] {
  const letter = kind === 'time' ? 'm' : kind.charAt(0);
  return [
    text ? ['t', column, letter, text] : [],
    quick ? ['q', column, letter, ...quickTokens(quick)] : [],
  ];
}

function quickTokens(quick: QuickFilter): readonly string[] {
  switch (quick.kind) {
    case 'range':
      return ['r', numberToken(quick.low), numberToken(quick.high)];
    case 'time':
      return ['m', numberToken(quick.from), numberToken(quick.to)];
    case 'oneOf':
      return ['o', ...quick.values.slice(0, MAX_VALUES).map(valueToken)];
    default:
      return [quick.kind === 'empty' ? 'e' : 'f'];
  }
}

function numberToken(value: number | null): string {
  return value === null ? '' : String(value);
}

function valueToken(value: FilterCell): string {
  if (value === null) {
    return 'e';
  }
  return typeof value === 'boolean'
    ? `b${Number(value)}`
    : `${typeof value === 'string' ? 't' : 'n'}${value}`;
}

function readPart(
  letter: string,
  tokens: readonly string[],
  look: Mutable<GridLook>,
  filters: Map<string, ColumnFilter>,
): void {
  const names = tokens.filter((token) => token !== '').slice(0, MAX_COLUMNS);
  switch (letter) {
    case 'o':
    case 'h':
    case 'v':
      if (names.length > 0) {
        look[({ o: 'order', h: 'hidden', v: 'shown' } as const)[letter]] = names;
      }
      return;
    case 'w': {
      const widths = readWidths(tokens);
      if (widths.length > 0) {
        look.widths = widths;
      }
      return;
    }
    case 'z':
      if (/^\d{1,3}$/.test(tokens[0] ?? '')) {
        look.frozen = Number(tokens[0]);
      }
      return;
    case 's':
      look.sort = names.flatMap(readSort).slice(0, MAX_SORTS);
      return;
    case 'k':
      if (tokens.length > 0 && tokens.every((token) => token.length <= MAX_TEXT)) {
        look.top = tokens;
      }
      return;
    case 't':
    case 'q':
      readFilter(letter, tokens, filters);
  }
}

function readWidths(tokens: readonly string[]) {
  return tokens.flatMap((column, at) => {
    const width = readNumber(tokens[at + 1] ?? '');
    const fits = width !== null && width >= MIN_WIDTH && width <= MAX_WIDTH;
    return at % 2 === 0 && column !== '' && fits ? [{ column, width }] : [];
  });
}

function readSort(token: string): Sort[] {
  const column = token.slice(1);
  const direction = { a: 'asc', d: 'desc' }[token.charAt(0)] as Sort['direction'] | undefined;
  return direction && column !== '' ? [{ column, direction }] : [];
}

function readFilter(
  letter: 't' | 'q',
  [column = '', kindLetter = '', ...rest]: readonly string[],
  filters: Map<string, ColumnFilter>,
): void {
  const kind = Object.hasOwn(KINDS, kindLetter) ? KINDS[kindLetter] : undefined;
  if (column === '' || !kind || (filters.size >= MAX_COLUMNS && !filters.has(column))) {
    return;
  }
  const known = filters.get(column) ?? { column, kind };
  const text = rest[0] ?? '';
  const quick = letter === 'q' ? readQuick(rest) : null;
  if (letter === 't' && text !== '' && text.length <= MAX_TEXT) {
    filters.set(column, { ...known, text });
  } else if (quick) {
    filters.set(column, { ...known, quick });
  }
}

function readQuick([letter, ...tokens]: readonly string[]): QuickFilter | null {
  const [low, high] = [readNumber(tokens[0] ?? ''), readNumber(tokens[1] ?? '')];
  const limited = low !== null || high !== null;
  switch (letter) {
    case 'e':
      return { kind: 'empty' };
    case 'f':
      return { kind: 'filled' };
    case 'r':
      return limited ? { kind: 'range', low, high } : null;
    case 'm':
      return limited ? { kind: 'time', from: low, to: high } : null;
    case 'o': {
      const values = tokens.slice(0, MAX_VALUES).flatMap(readValue);
      return values.length > 0 ? { kind: 'oneOf', values } : null;
    }
    default:
      return null;
  }
}

function readValue(token: string): FilterCell[] {
  const rest = token.slice(1);
  switch (token.charAt(0)) {
    case 'e':
      return [null];
    case 'b':
      return rest === '0' || rest === '1' ? [rest === '1'] : [];
    case 't':
      return rest.length <= MAX_TEXT ? [rest] : [];
    case 'n': {
      const number = readNumber(rest);
      return number === null ? [] : [number];
    }
    default:
      return [];
  }
}

function readNumber(token: string): number | null {
  const number = Number(token);
  return token.trim() !== '' && token.length <= 30 && Number.isFinite(number) ? number : null;
}

import type { ColumnKind } from '../deephaven/decode';
import type { Filter } from '../deephaven/query';

/** What a viewer typed, understood: a filter, nothing to filter by, or what is wrong with it. */
export type ParsedFilter =
  | { readonly kind: 'none' }
  | { readonly kind: 'filter'; readonly filter: Filter }
  | { readonly kind: 'error'; readonly message: string };

const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?`;
const COMPARE = new RegExp(`^(=|>=|<=|>|<)?(${NUMBER})$`);
const BETWEEN = new RegExp(`^(${NUMBER})\\.\\.(${NUMBER})$`);
const OPS = { '=': 'eq', '>': 'gt', '<': 'lt', '>=': 'ge', '<=': 'le' } as const;

/** Whether a column of that kind can be filtered by text. */
export function isFilterable(kind: ColumnKind): boolean {
  return kind === 'text' || kind === 'integer' || kind === 'decimal';
}

/** A hint for the input of such a column. */
export function filterHint(kind: ColumnKind): string {
  return kind === 'text' ? 'contains' : '= < > ..';
}

/** One line about what can be typed into that input. */
export function filterHelp(kind: ColumnKind): string {
  return kind === 'text' ? 'Rows that contain this text' : 'A number, =5, >5, <5, >=5, <=5 or 5..9';
}

/** Reads the filter of one column: text is "contains", numbers take =5, >5, <5, >=5, <=5 and 5..9. */
export function parseFilter(column: string, kind: ColumnKind, typed: string): ParsedFilter {
  const text = typed.trim();
  if (text === '') {
    return { kind: 'none' };
  }
  if (kind === 'text') {
    return { kind: 'filter', filter: { column, op: 'contains', text } };
  }
  const compact = text.replace(/[\s,_]/g, '');
  const between = BETWEEN.exec(compact);
  if (between) {
    const [low, high] = [Number(between[1]), Number(between[2])].sort((a, b) => a - b);
    return { kind: 'filter', filter: { column, op: 'between', low: low ?? 0, high: high ?? 0 } };
  }
  const compare = COMPARE.exec(compact);
  if (compare) {
    const op = OPS[(compare[1] ?? '=') as keyof typeof OPS];
    return { kind: 'filter', filter: { column, op, value: Number(compare[2]) } };
  }
  return { kind: 'error', message: `Not understood. ${filterHelp(kind)}` };
}

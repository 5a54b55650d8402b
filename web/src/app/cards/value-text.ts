import { formatOf } from '../catalogue/cards';
import { lookOf, type ColumnLook, type TableInfo } from '../catalogue/tables';
import type { Cell, ColumnKind } from '../deephaven/decode';
import { formatCell, isRightAligned, type Format } from '../format/cell-text';
import { signedCompactText, signedCountText, signOf } from '../format/number-text';
import type { Cells } from '../live-rows/read-records';

const KINDS: Readonly<Record<ColumnLook['type'], ColumnKind>> = {
  string: 'text',
  int: 'integer',
  long: 'integer',
  double: 'decimal',
  boolean: 'flag',
  time: 'time',
};

/** How a column is written: as the card says, as the column does, or by its type. */
export function lookFormat({ format, type }: ColumnLook, declared = ''): Format {
  return formatOf(declared) ?? format ?? KINDS[type];
}

/** A value of a column; with its sign where that has a colour. */
export function valueText(value: Cell, look: ColumnLook, declared = ''): string {
  const format = lookFormat(look, declared);
  if (look.tone === 'sign' && typeof value === 'number') {
    switch (format) {
      case 'compact':
        return signedCompactText(value);
      case 'integer':
        return signedCountText(value);
    }
  }
  return formatCell(value, format);
}

/** The colour of a value: by its sign, if the column wants that. */
export function toneOf(value: Cell, look: ColumnLook): 'up' | 'down' | null {
  return look.tone === 'sign' && typeof value === 'number' ? signOf(value) : null;
}

/** Whether the values of a column stand at the right. */
export function standsRight(look: ColumnLook): boolean {
  return isRightAligned(lookFormat(look));
}

/** The columns in a text such as `{price:compact} at {exchange}`. */
export function columnsOf(text: string): readonly string[] {
  return [...text.matchAll(COLUMN)].map(([, column]) => column ?? '');
}

/** Such a text with the values of a row. */
export function detailText(text: string, cells: Cells, table: TableInfo | undefined): string {
  return text.replace(COLUMN, (_, column: string, format?: string) =>
    valueText(cells[column] ?? null, lookOf(table, column), format),
  );
}

const COLUMN = /\{([^{}:]*)(?::([^{}]*))?\}/g;

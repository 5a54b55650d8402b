import type { Cell, ColumnInfo, Row } from '../deephaven/decode';
import type { Filter, TableQuery } from '../deephaven/query';
import { formatCell } from '../format/cell-text';
import type { TableSpec } from './table-spec';

/** Which row to show: a query that has only it, or where it stands in one that has more. */
export interface DetailsTarget {
  readonly query: TableQuery;
  readonly row: number;
  readonly name: string;
}

/**
 * Says how to follow a row: by its key where there is one, so that it is found wherever it moves;
 * else by its place in the grid's own query.
 */
export function detailsTarget(
  spec: TableSpec,
  query: TableQuery,
  columns: readonly ColumnInfo[],
  cells: Row,
  row: number,
): DetailsTarget {
  const tests = spec.key.map((name) => {
    const index = columns.findIndex((column) => column.name === name);
    const column = columns[index];
    return column ? keyTest(column, cells[index] ?? null) : null;
  });
  const { table, together, sort, filters } = query;
  if (tests.length === 0 || tests.includes(null)) {
    return { query: { table, together, sort, filters }, row, name: `Row ${row + 1}` };
  }
  const name = spec.key.map((column) => {
    const index = columns.findIndex((info) => info.name === column);
    return formatCell(cells[index] ?? null, columns[index]?.kind === 'time' ? 'time' : 'text');
  });
  return {
    query: { table, together, sort: [], filters: tests as Filter[] },
    row: 0,
    name: name.join(' · '),
  };
}

/** The test that only a cell of that value passes; null if there is none for such a value. */
function keyTest({ name: column, kind }: ColumnInfo, cell: Cell): Filter | null {
  if (cell === null) {
    return { column, op: 'empty' };
  }
  if (typeof cell === 'bigint') {
    return null; // A filter value holds no more than 53 bits.
  }
  if (kind === 'time') {
    const from = Math.floor(cell as number);
    return { column, op: 'time', from, to: from + 1 };
  }
  return { column, op: 'oneOf', values: [cell] };
}

import { describe, expect, it } from 'vitest';
import { readRecords, type RecordReader } from '../live-rows/read-records';
import { addressOf, pageAt, readPage, type FlowPage } from './flow-pages';
import { flowsOf, readSource } from './flows';
import { hasColumn, lookOf, readTable } from './tables';

/** Reads one row of these cells. */
function read<T>(cells: Record<string, string | number>, how: (row: RecordReader) => T): T {
  const columns = Object.keys(cells).map((name) => ({ name, kind: 'text' as const }));
  const snapshot = { columns, first: 0, rows: [Object.values(cells)], total: 1 };
  return readRecords(snapshot, how)[0]!;
}

const page = (flow: string, path = flow): FlowPage => ({
  flow,
  path,
  title: flow,
  filter: '',
  cards: [],
});

describe('readTable', () => {
  const table = read(
    {
      flow: 'shop',
      table: 'orders',
      kind: 'latest',
      key: 'shop,orderId',
      rollup: '',
      title: 'Orders',
      columns: JSON.stringify([
        {
          name: 'amount',
          label: 'Amount',
          format: 'number',
          tone: 'sign',
          width: 80,
          type: 'double',
        },
        { name: 'ts', label: 'ts', format: '', tone: '', width: 0, type: 'time' },
      ]),
    },
    readTable,
  );

  it('reads the key and how columns are shown', () => {
    expect(table).toMatchObject({ flow: 'shop', key: ['shop', 'orderId'], kind: 'latest' });
    expect(table.columns[0]).toEqual({
      name: 'amount',
      label: 'Amount',
      format: 'decimal',
      tone: 'sign',
      width: 80,
      type: 'double',
    });
  });

  it('calls the columns that every table has by what they are', () => {
    expect(lookOf(table, 'ts')).toMatchObject({ label: 'Time', format: undefined, width: 110 });
  });

  it('shows a column that nobody told of by its name', () => {
    expect(lookOf(table, 'gone')).toMatchObject({ label: 'gone', type: 'string' });
    expect([hasColumn(table, 'ts'), hasColumn(table, 'gone')]).toEqual([true, false]);
  });
});

describe('readPage', () => {
  it('reads address, filter and cards, without those of a kind it does not know', () => {
    const cards = [{ kind: 'tile' }, { kind: 'globe' }, null, { kind: 'lines' }];
    const text = JSON.stringify({ path: 'gold', filter: 'region', cards });
    const found = read({ flow: 'positions', title: 'Gold', page: text }, readPage);
    expect(found).toMatchObject({ path: 'gold', title: 'Gold', filter: 'region' });
    expect(found.cards.map(({ kind }) => kind)).toEqual(['tile', 'lines']);
  });
});

describe('The address of a page', () => {
  it('is the one it would like, unless another flow has it', () => {
    const pages = [page('positions', 'gold'), page('customers')];
    expect(pages.map((one) => addressOf(one, pages))).toEqual(['gold', 'customers']);
    const taken = [...pages, page('gold')];
    expect(taken.map((one) => addressOf(one, taken))).toEqual(['positions', 'customers', 'gold']);
  });

  it('leads to it, and so does the name of its flow', () => {
    const pages = [page('positions', 'gold'), page('customers')];
    const found = ['gold', 'positions', 'customers', 'nowhere'].map((at) => pageAt(pages, at));
    expect(found.map((one) => one?.flow)).toEqual([
      'positions',
      'positions',
      'customers',
      undefined,
    ]);
  });
});

describe('flowsOf', () => {
  const row = (flow: string, source: string, title: string) =>
    read({ flow, source, title, topic: `${source}.v1`, state: 'live', generation: 3 }, readSource);

  it('has each flow with its sources, in the order of their rows, and knows which can be joined otherwise', () => {
    const rows = [row('b', 'users', 'Zebras'), row('a', 'x', ''), row('b', 'accounts', 'Zebras')];
    const tables = [
      { flow: 'b', kind: 'join' },
      { flow: 'a', kind: 'as_of' },
    ];
    expect(flowsOf(rows, tables)).toEqual([
      {
        flow: 'b',
        title: 'Zebras',
        state: 'live',
        generation: 3,
        sources: [
          { name: 'users', topic: 'users.v1' },
          { name: 'accounts', topic: 'accounts.v1' },
        ],
        joins: true,
      },
      {
        flow: 'a',
        title: 'a',
        state: 'live',
        generation: 3,
        sources: [{ name: 'x', topic: 'x.v1' }],
        joins: false,
      },
    ]);
  });
});

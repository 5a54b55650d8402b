import { describe, expect, it } from 'vitest';
import { anyTable, formsOf, gridSpec } from './table-specs';
import { GRID, look, table } from './testing/tables';

const ORIGIN = ['ts', 'topic', 'partition', 'offset'].map((name) => look(name));
const LATEST = table(
  [
    look('sku', { label: 'Article' }),
    look('price', { format: 'price', tone: 'change' }),
    ...ORIGIN,
  ],
  { table: 'latest', kind: 'latest', key: ['sku'] },
);
const EVENTS = table([look('sku'), ...ORIGIN], {
  table: 'events',
  kind: 'events',
  key: ['topic', 'partition', 'offset'],
});
const TABLES = new Map([LATEST, EVENTS].map((one) => [one.table, one]));
const CARD = { ...GRID, tables: ['latest', 'events'], forms: ['Latest', '5 min.'] };

const visible = (columns: readonly string[]) =>
  gridSpec('latest', { ...CARD, columns }, TABLES)
    .columns!.filter(({ hidden }) => !hidden)
    .map(({ name }) => name);

describe('anyTable', () => {
  it('shows a table of a flow with all its columns, and as part of it', () => {
    const spec = anyTable('latest', TABLES);
    expect(spec).toMatchObject({ key: ['sku'], together: 'shop' });
    expect(spec.columns!.map(({ label, hidden }) => [label, hidden])[0]).toEqual([
      'Article',
      false,
    ]);
    expect(spec.columns).toHaveLength(6);
  });

  it('knows the keys of the tables about Tidegrid itself, and takes any other as it is', () => {
    expect(anyTable('topics', TABLES)).toEqual({ table: 'topics', key: ['topic'] });
    expect(anyTable('my_table', TABLES)).toEqual({ table: 'my_table', key: [] });
  });
});

describe('formsOf', () => {
  it('has a button for each table', () => {
    expect(formsOf(CARD, TABLES).map(({ name, label, spec }) => [name, label, spec.table])).toEqual(
      [
        ['latest', 'Latest', 'latest'],
        ['5-min', '5 min.', 'events'],
      ],
    );
  });
});

describe('gridSpec', () => {
  it('shows all columns but where a row came from', () => {
    expect(visible([])).toEqual(['sku', 'price', 'ts']);
  });

  it('shows the columns of the card in their order, as far as the table has them', () => {
    expect(visible(['ts', 'gone', 'sku'])).toEqual(['ts', 'sku']);
    const { columns } = gridSpec('latest', { ...CARD, columns: ['ts'] }, TABLES);
    expect(columns!.map(({ name }) => name)).toEqual([
      'ts',
      'sku',
      'price',
      'topic',
      'partition',
      'offset',
    ]);
  });

  it('begins with the order of the card, and with the newest of a list of events', () => {
    const sort = (name: string, by: string) => gridSpec(name, { ...CARD, sort: by }, TABLES).sort;
    expect(sort('latest', '-price')).toEqual([{ column: 'price', direction: 'desc' }]);
    expect(sort('latest', 'price')).toEqual([{ column: 'price', direction: 'asc' }]);
    expect(sort('latest', 'gone')).toBeUndefined();
    expect(sort('events', 'sku')).toEqual([{ column: 'ts', direction: 'desc' }]);
  });

  it('lets rejects wait for no flow, since they are of all', () => {
    expect(gridSpec('rejects', CARD, TABLES).together).toBeUndefined();
  });
});

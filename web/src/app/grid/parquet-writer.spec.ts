import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Row } from '../deephaven/decode';
import type { ExportColumn } from './export-writer';
import { parquetWriter } from './parquet-writer';
import { exportTable } from './table-export';
import { openGrid, pass, usersWorld } from './testing/world';

afterEach(() => {
  vi.useRealTimers();
});

const COLUMNS: readonly ExportColumn[] = [
  { name: 'name', kind: 'text', format: 'text' },
  { name: 'count', kind: 'integer', format: 'compact' },
  { name: 'price', kind: 'decimal', format: 'money' },
  { name: 'ts', kind: 'time', format: 'date' },
  { name: 'open', kind: 'flag', format: 'flag' },
];

/** The file that a writer makes of parts. */
function fileOf(parts: readonly (readonly Row[])[], columns = COLUMNS): Promise<ArrayBuffer> {
  const writer = parquetWriter(columns);
  parts.forEach((rows) => writer.add(rows));
  return new Blob(writer.finish()).arrayBuffer();
}

/** The rows of a file; times as they stand in it. */
function read(file: ArrayBuffer): Promise<Record<string, unknown>[]> {
  const asIs = (micros: bigint) => micros;
  return parquetReadObjects({ file, parsers: { timestampFromMicroseconds: asIs } });
}

describe('parquetWriter', () => {
  it('keeps values as they are, big integers, times and nulls too', async () => {
    const rows: Row[] = [
      ['=1+1, "Zoë" 🌊', 42, -0.125, 1_794_777_986_088, true],
      [null, null, null, null, null],
      ['', 9223372036854775807n, 1e300, 1_794_777_986_088.123, false],
      ['a', -9223372036854775808n, NaN, -0.5, true],
    ];
    expect(await read(await fileOf([rows.slice(0, 1), [], rows.slice(1)]))).toEqual([
      {
        name: '=1+1, "Zoë" 🌊',
        count: 42n,
        price: -0.125,
        ts: 1_794_777_986_088_000n,
        open: true,
      },
      { name: null, count: null, price: null, ts: null, open: null },
      {
        name: '',
        count: 9223372036854775807n,
        price: 1e300,
        ts: 1_794_777_986_088_123n,
        open: false,
      },
      { name: 'a', count: -9223372036854775808n, price: NaN, ts: -500n, open: true },
    ]);
  });

  it('says the type of every column, also of a table without rows', async () => {
    const file = await fileOf([]);
    const { schema, num_rows } = parquetMetadata(file);
    expect(num_rows).toBe(0n);
    expect(schema.slice(1).map((column) => [column.name, column.type])).toEqual([
      ['name', 'BYTE_ARRAY'],
      ['count', 'INT64'],
      ['price', 'DOUBLE'],
      ['ts', 'INT64'],
      ['open', 'BOOLEAN'],
    ]);
    expect(schema.map((column) => column.converted_type).filter(Boolean)).toEqual([
      'UTF8',
      'TIMESTAMP_MICROS',
    ]);
    expect(schema.slice(1).every((column) => column.repetition_type === 'OPTIONAL')).toBe(true);
    expect(await read(file)).toEqual([]);
  });

  it('writes row groups as they fill, and columns that are all null', async () => {
    const [count] = COLUMNS.slice(1);
    const columns = [count!, { ...count!, name: 'nothing' }];
    const rows = Array.from({ length: 12_000 }, (_, n): Row => [n, null]);
    const file = await fileOf([rows.slice(0, 3_000), rows.slice(3_000)], columns);
    const groups = parquetMetadata(file).row_groups.map((group) => group.num_rows);
    expect(groups).toEqual([5_000n, 5_000n, 2_000n]);
    const found = await read(file);
    expect(found).toHaveLength(12_000);
    expect(found.every((row, n) => row['count'] === BigInt(n) && row['nothing'] === null)).toBe(
      true,
    );
  });

  it('refuses an integer of more than 64 bits, by its column', async () => {
    const rows: Row[] = [['a', 2n ** 63n, 0, 0, true]];
    await expect(async () => fileOf([rows])).rejects.toThrow(
      'Column count holds 92233720368547758',
    );
  });
});

describe('A grid', () => {
  it('is saved as Parquet: what its filters leave, in its columns and its order', async () => {
    const world = await usersWorld(5_000);
    const { table } = openGrid(world, {
      order: ['age', 'ts', 'city', 'userId'],
      sort: [{ column: 'age', direction: 'desc' }],
      filters: [{ column: 'userId', kind: 'text', text: 'U12' }],
    });
    await pass();
    let parts: BlobPart[] = [];
    const sink = { progress: vi.fn(), done: (all: BlobPart[]) => (parts = all), failed: vi.fn() };
    exportTable(world.hub, table.exportPlan(), parquetWriter, sink);
    await pass(1_000);
    vi.useRealTimers();
    const found = await read(await new Blob(parts).arrayBuffer());
    expect(sink.failed).not.toHaveBeenCalled();
    expect(found).toHaveLength(111);
    expect(Object.keys(found[0]!)).toEqual(['age', 'ts', 'city', 'userId']);
    expect(found[0]!['age']).toBe(99n);
    expect(found.find(({ userId }) => userId === 'U1202')).toEqual({
      age: 2n,
      ts: 1_202_000_000n,
      city: null,
      userId: 'U1202',
    });
    table.close();
  });
});

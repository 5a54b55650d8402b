import { afterEach, describe, expect, it, vi } from 'vitest';
import { csvWriter } from './csv-writer';
import { openGrid, pass, user, usersWorld } from './testing/world';
import { exportTable, type ExportProgress } from './table-export';

afterEach(() => {
  vi.useRealTimers();
});

const COLUMNS = [
  { name: 'userId', kind: 'text', format: 'text' },
  { name: 'ts', kind: 'time', format: 'time' },
] as const;
const QUERY = { table: 'users', sort: [], filters: [], together: 'customers' };
const PLAN = { query: QUERY, columns: COLUMNS, key: ['userId'] };

/** Collects what becomes of an export. */
function collector() {
  const progress: ExportProgress[] = [];
  const result: { lines: string[] | null; failed: string | null } = { lines: null, failed: null };
  return {
    progress,
    result,
    sink: {
      progress: (step: ExportProgress) => progress.push(step),
      done: (parts: BlobPart[]) => (result.lines = parts.join('').trim().split('\r\n')),
      failed: (reason: string) => (result.failed = reason),
    },
  };
}

describe('exportTable', () => {
  it('writes every row once, in chunks, and says how far it is', async () => {
    const { hub, server } = await usersWorld(7_000);
    const { sink, progress, result } = collector();
    exportTable(hub, PLAN, csvWriter, sink);
    await pass(1_000);
    expect(result.lines?.slice(0, 2)).toEqual(['userId,ts', 'U0,1970-01-01T00:00:00.000Z']);
    expect(new Set(result.lines).size).toBe(7_001);
    expect(progress.map(({ rows }) => rows)).toEqual([2_000, 4_000, 6_000, 7_000]);
    expect(progress.at(-1)).toEqual({ rows: 7_000, of: 7_000, cut: false });
    expect(server.open('users')).toEqual([]);
    const sizes = server.handles.flatMap(({ viewports }) => viewports.map(([a, b]) => b - a + 1));
    expect(Math.max(...sizes)).toBe(2_000);
  });

  it('stops at the limit and says that there is more', async () => {
    const { hub } = await usersWorld(7_000);
    const { sink, progress, result } = collector();
    exportTable(hub, PLAN, csvWriter, sink, 4_500);
    await pass(1_000);
    expect(result.lines).toHaveLength(4_501);
    expect(progress.at(-1)).toEqual({ rows: 4_500, of: 4_500, cut: true });
  });

  it('writes no row twice when rows come in above those read', async () => {
    const { hub, server, rows } = await usersWorld(5_000);
    server.delay = 50;
    const { sink, progress, result } = collector();
    exportTable(hub, PLAN, csvWriter, sink);
    await pass(110);
    expect(progress).toHaveLength(1);
    rows().unshift(user(9_001), user(9_002));
    await pass(2_000);
    expect(new Set(result.lines).size).toBe(result.lines?.length);
    expect(result.lines).toHaveLength(5_001);
  });

  it('starts over when the table is swapped, so that all rows are of one generation', async () => {
    const { hub, server, rows } = await usersWorld(5_000);
    server.delay = 50;
    const { sink, progress, result } = collector();
    exportTable(hub, PLAN, csvWriter, sink);
    await pass(110);
    expect(progress).toHaveLength(1);
    const swapped = Array.from({ length: 3_000 }, (_, n) => ({
      ...user(n),
      userId: `new-${n}`,
      generation: 2,
    }));
    rows().splice(0, Infinity, ...swapped);
    await pass(5_000);
    expect(result.lines).toHaveLength(3_001);
    expect(result.lines?.slice(1).every((line) => line.startsWith('new-'))).toBe(true);
  });

  it('can be cancelled, and lets go of the table', async () => {
    const { hub } = await usersWorld(5_000);
    const { sink, progress, result } = collector();
    const cancel = exportTable(hub, PLAN, csvWriter, sink);
    await pass(8);
    cancel();
    const steps = progress.length;
    await pass(2_000);
    expect([progress.length, result.lines, hub.openViewports]).toEqual([steps, null, 0]);
  });

  it('says why it cannot be', async () => {
    const { hub } = await usersWorld();
    const { sink, result } = collector();
    exportTable(hub, { ...PLAN, query: { ...QUERY, table: 'nothing' } }, csvWriter, sink);
    await pass(1_000);
    expect(result.failed).toContain('Timeout');
    expect(hub.openViewports).toBe(0);
  });

  it.each(['add', 'finish'] as const)('says why a file cannot be written: %s', async (step) => {
    const { hub } = await usersWorld(5_000);
    const { sink, progress, result } = collector();
    const broken = () => {
      throw new Error('Too large.');
    };
    exportTable(hub, PLAN, (columns) => ({ ...csvWriter(columns), [step]: broken }), sink);
    await pass(1_000);
    expect([result.failed, result.lines]).toEqual(['Too large.', null]);
    expect(progress).toHaveLength(step === 'add' ? 0 : 3);
    expect(hub.openViewports).toBe(0);
  });

  it('of an empty table is a line of names', async () => {
    const { hub } = await usersWorld(0);
    const { sink, result } = collector();
    exportTable(hub, PLAN, csvWriter, sink);
    await pass(1_000);
    expect(result.lines).toEqual(['userId,ts']);
  });
});

describe('A grid', () => {
  it('exports what its filters leave, in its columns and its order, beside the rows on screen', async () => {
    const world = await usersWorld(5_000);
    const { table, column } = openGrid(world, {
      order: ['age', 'userId'],
      hidden: ['city', 'ts'],
      sort: [{ column: 'age', direction: 'desc' }],
      filters: [{ column: 'userId', kind: 'text', text: 'U12' }],
    });
    await pass();
    const { sink, result } = collector();
    exportTable(world.hub, table.exportPlan(), csvWriter, sink);
    await pass(1_000);
    expect(result.lines?.[0]).toBe('age,userId');
    expect(result.lines?.slice(1)).toHaveLength(111);
    expect(result.lines?.[1]?.split(',')[1]).toBe(column('userId')[0]);
    table.close();
  });
});

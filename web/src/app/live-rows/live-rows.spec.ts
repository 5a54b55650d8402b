import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TableHub } from '../deephaven/table-hub';
import { MemoryServer } from '../deephaven/testing/memory-server';
import { noteOf, NO_ROWS, watchRows, type LiveRows } from './live-rows';

interface Item {
  readonly name: string;
  readonly size: number | null;
  readonly at: number | null;
  readonly seen: number | null;
  readonly gone: string;
}

let server: MemoryServer;
let hub: TableHub;
let seen: LiveRows<Item>[];

const pass = (milliseconds = 50) => vi.advanceTimersByTimeAsync(milliseconds);

function watch(): () => void {
  return watchRows<Item>(
    hub,
    { table: 'items', sort: [], filters: [] },
    2,
    (row) => ({
      name: row.text('name'),
      size: row.number('size'),
      at: row.time('at'),
      seen: row.time('seen'),
      gone: row.text('gone'),
    }),
    (rows) => seen.push(rows),
  );
}

beforeEach(async () => {
  vi.useFakeTimers();
  seen = [];
  server = new MemoryServer();
  const text = 'java.lang.String';
  server.table('items', { name: text, size: 'long', at: text, seen: 'java.time.Instant' }, [
    { name: 'a', size: 3, at: '2026-05-01T12:00:00.250+00:00', seen: 5_000_000n },
    { name: null, size: null, at: '', seen: null },
    { name: 'c', size: 1, at: null, seen: null },
  ]);
  hub = new TableHub(server.login);
  const signedIn = hub.signIn('secret');
  await pass();
  await signedIn;
});

afterEach(() => {
  vi.useRealTimers();
});

describe('watchRows', () => {
  it('reads cells by column, and a missing cell or column as nothing', async () => {
    watch();
    await pass();
    expect(seen.at(-1)).toEqual({
      rows: [
        { name: 'a', size: 3, at: Date.UTC(2026, 4, 1, 12, 0, 0, 250), seen: 5, gone: '' },
        { name: '', size: null, at: null, seen: null, gone: '' },
      ],
      total: 3,
      state: { kind: 'live' },
      known: true,
      generation: null,
    });
  });

  it('keeps the rows while the connection is lost, and stops when told to', async () => {
    const stop = watch();
    await pass();
    server.crash();
    expect(seen.at(-1)).toMatchObject({ state: { kind: 'reconnecting' }, known: true });
    expect(seen.at(-1)!.rows).toHaveLength(2);
    stop();
    expect(hub.openViewports).toBe(0);
  });
});

describe('noteOf', () => {
  it('tells loading, empty and failed apart, and is silent when there are rows', () => {
    const failed = { kind: 'failed', reason: 'No such table.', retryAt: 0 } as const;
    expect(noteOf(NO_ROWS, 'None yet.')).toBe('Loading…');
    expect(noteOf({ ...NO_ROWS, known: true }, 'None yet.')).toBe('None yet.');
    expect(noteOf({ ...NO_ROWS, state: failed }, 'None yet.')).toBe('No such table. Trying again.');
    expect(noteOf({ ...NO_ROWS, rows: [1], state: failed }, 'None yet.')).toBeNull();
  });
});

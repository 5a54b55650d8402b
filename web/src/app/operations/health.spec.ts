import { describe, expect, it } from 'vitest';
import { readRecords } from '../live-rows/read-records';
import { partsOf, readFigure, type Figure } from '../freshness/figures';
import { generationsHealth } from './health';

/** A figure of the tables about the customers flow. */
function figure(measure: string, value: number, more: Partial<Figure> = {}): Figure {
  return {
    part: 'tables',
    measure,
    flow: 'customers',
    generation: 3,
    topic: '',
    partition: null,
    label: '',
    value,
    note: '',
    ...more,
  };
}

describe('readFigure', () => {
  it('reads a row, and what does not apply as nothing', () => {
    const cells = { part: 'tables', measure: 'up', flow: null, generation: null, value: 1 };
    const columns = Object.keys(cells).map((name) => ({ name, kind: 'text' as const }));
    const rows = [Object.values(cells)];
    const [read] = readRecords({ columns, first: 0, rows, total: 1 }, readFigure);
    expect(read).toEqual(figure('up', 1, { flow: '', generation: 0 }));
  });
});

describe('partsOf', () => {
  it('tells the parts that report from those that do not', () => {
    const parts = partsOf([
      figure('up', 1, { part: 'tables', note: 'live' }),
      figure('up', 0, { part: 'pipeline' }),
      figure('events', 5),
    ]);
    expect(parts).toEqual([
      { part: 'pipeline', up: false, note: '' },
      { part: 'tables', up: true, note: 'live' },
    ]);
  });
});

describe('generationsHealth', () => {
  const users = (partition: number) => ({ topic: 'users', partition });

  it('adds up a generation and puts what is furthest behind first', () => {
    const [only, ...rest] = generationsHealth([
      figure('events', 100, users(0)),
      figure('events', 50, users(1)),
      figure('lag', 0, users(0)),
      figure('lag', 7, users(1)),
      figure('events_per_second', 20.5),
      figure('rejects', 2, { topic: 'users', label: 'not JSON' }),
      figure('rejects', 9, { topic: 'users', label: 'age: expected a whole number' }),
      figure('rows_written', 160, { part: 'pipeline', label: 'customers' }),
      figure('rows_written', 11, { part: 'pipeline', label: 'rejects' }),
      figure('restarts', 1, { part: 'pipeline' }),
      figure('generation_state', 1, { part: 'pipeline', label: 'live' }),
      // Rolled back, and over since: it still is the last one.
      figure('last_swap_seconds', 2.5, { generation: 2, label: 'catch-up' }),
      figure('last_swap_seconds', 0.04, { generation: 2, label: 'flip' }),
      figure('up', 1, { flow: '', generation: 0 }),
      figure('live_generation', 3, { generation: 0 }),
    ]);
    expect(rest).toEqual([]);
    expect(only).toEqual({
      key: 'customers/3',
      flow: 'customers',
      generation: 3,
      state: 'live',
      events: 150,
      perSecond: 20.5,
      lag: 7,
      rejects: 11,
      rowsWritten: 171,
      restarts: 1,
      swap: { generation: 2, catchUp: 2.5, flip: 0.04 },
      partitions: [
        { topic: 'users', partition: 1, events: 50, lag: 7 },
        { topic: 'users', partition: 0, events: 100, lag: 0 },
      ],
      reasons: [
        { topic: 'users', reason: 'age: expected a whole number', count: 9 },
        { topic: 'users', reason: 'not JSON', count: 2 },
      ],
    });
  });

  it('keeps generations apart, the newest of a flow first', () => {
    const keys = generationsHealth([
      figure('events', 1, { flow: 'positions', generation: 1 }),
      figure('events', 1, { generation: 2 }),
      figure('events', 1, { generation: 3 }),
      // Of a swap that is over; that generation may no longer run.
      figure('last_swap_seconds', 1, { generation: 9, label: 'flip' }),
    ]).map(({ key }) => key);
    expect(keys).toEqual(['customers/3', 'customers/2', 'positions/1']);
  });

  it('does not take what nobody reported for none', () => {
    const [only] = generationsHealth([figure('events', 5, users(0))]);
    expect(only).toMatchObject({ lag: null, restarts: null, perSecond: null, swap: null });
    expect(only!.partitions[0]!.lag).toBeNull();
    expect(generationsHealth([])).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { ageOf, FRESH, gravestFirst, type FlowSigns } from './flow-age';

const UP = [
  { part: 'pipeline', up: true, note: 'running' },
  { part: 'tables', up: true, note: 'live' },
];
const SIGNS: FlowSigns = {
  quietFor: 42_000,
  late: false,
  lag: 0,
  perSecond: 100,
  building: null,
  parts: UP,
};

const age = (change: Partial<FlowSigns>) => ageOf({ ...SIGNS, ...change });

describe('ageOf', () => {
  it('has nothing to say about a flow that is current, or quiet for no longer than usual', () => {
    expect(age({})).toEqual({ kind: 'fresh', text: '' });
    expect(age({ lag: 400 }).kind).toBe('fresh');
    expect(age({ parts: [], lag: null }).kind).toBe('fresh');
  });

  it('finds a source without new records normal', () => {
    expect(age({ late: true })).toEqual({
      kind: 'quiet',
      text: 'No new records at the source for 42 s.',
    });
  });

  it('says that the pipeline is silent as soon as it is, and the broker when nobody reports', () => {
    const [pipeline, tables] = UP.map((part) => ({ ...part, up: false }));
    expect(age({ parts: [pipeline!, UP[1]!] })).toEqual({
      kind: 'behind',
      text: 'Nothing new for 42 s: the pipeline is silent. It may be restarting.',
    });
    expect(age({ parts: [pipeline!, tables!] }).text).toContain('The broker may be away');
    expect(age({ parts: [UP[0]!, tables!] }).kind).toBe('fresh');
    // Of a pair the other one goes on.
    const second = { part: 'second pipeline', up: true, note: 'running' };
    expect(age({ parts: [pipeline!, second, UP[1]!] }).kind).toBe('fresh');
    expect(age({ parts: [pipeline!, { ...second, up: false }, UP[1]!] }).kind).toBe('behind');
  });

  it('says how much is left of a catch-up', () => {
    expect(age({ lag: 12_345 })).toEqual({
      kind: 'behind',
      text: 'Catching up: 12,345 records to go.',
    });
    expect(age({ lag: 12_345, perSecond: 5_000 }).kind).toBe('fresh');
    expect(age({ building: { seen: 10, total: 1_010 } }).text).toBe(
      'Building the first generation: 1,000 records to go.',
    );
  });

  it('names what waits or what the pipeline says when nothing comes', () => {
    const parts = [{ part: 'pipeline', up: true, note: 'restarting: no such topic' }, UP[1]!];
    expect(age({ late: true, parts }).text).toContain('says “restarting: no such topic”');
    expect(age({ late: true, lag: 7 }).text).toBe(
      'Nothing new for 42 s, and 7 records wait at the source.',
    );
    expect(age({ late: true, lag: null }).kind).toBe('behind');
  });
});

describe('gravestFirst', () => {
  it('begins with flows that are behind, and leaves the others in their order', () => {
    const flow = (name: string, kind: 'fresh' | 'quiet' | 'behind') => ({
      name,
      age: { ...FRESH, kind },
    });
    const flows = [flow('a', 'fresh'), flow('b', 'quiet'), flow('c', 'behind'), flow('d', 'fresh')];
    expect(gravestFirst(flows).map(({ name }) => name)).toEqual(['c', 'b', 'a', 'd']);
  });
});

import { describe, expect, it } from 'vitest';
import type { GridLook } from './grid-look';
import { decodeLook, encodeLook, MAX_LOOK_TEXT } from './look-text';

/** Numbers that look random and are the same in every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % sides;
  };
}

const NAMES = ['ts', 'price', 'sourceSystem', 'P&L', 'a.b', 'c_d', '~', 'größe', '__proto__', '日'];

/** A look made by throwing dice. */
function anyLook(seed: number): GridLook {
  const throws = dice(seed);
  const some = <T>(make: () => T): T[] => Array.from({ length: 1 + throws(3) }, make);
  const name = () => NAMES[throws(NAMES.length)]!;
  const number = () => (throws(2) ? throws(10_000) : -(1 + throws(100)) / 8);
  const quicks = [
    { kind: 'range', low: number(), high: null },
    { kind: 'time', from: 1_700_000_000_000 + throws(1_000), to: null },
    { kind: 'oneOf', values: [name(), number(), throws(2) === 0, null, ''] },
    { kind: 'empty' },
    { kind: 'filled' },
  ] as const;
  const columns = [...new Set(some(name))];
  const parts: GridLook[] = [
    { order: columns },
    { hidden: columns },
    { shown: columns },
    { widths: columns.map((column) => ({ column, width: 40 + throws(1_000) })) },
    { frozen: throws(5) },
    { sort: columns.map((column) => ({ column, direction: throws(2) ? 'asc' : 'desc' })) },
    { sort: [] },
    {
      filters: columns.map((column) => ({
        column,
        kind: 'decimal',
        text: name(),
        quick: quicks[throws(quicks.length)]!,
      })),
    },
    { top: some(name) },
  ];
  return parts.filter(() => throws(2) === 0).reduce<GridLook>((all, p) => ({ ...all, ...p }), {});
}

describe('A look', () => {
  it('reads back from its text, whatever is in it', () => {
    for (let seed = 1; seed <= 500; seed++) {
      const look = anyLook(seed);
      const text = encodeLook(look);
      expect(text).toMatch(/^[A-Za-z0-9~._-]*$/);
      expect(decodeLook(text)).toEqual(look);
    }
  });

  it('of an untouched grid is no text at all', () => {
    expect(encodeLook({})).toBe('');
    expect(decodeLook('')).toEqual({});
  });

  it('is short', () => {
    const look: GridLook = {
      hidden: ['name'],
      sort: [{ column: 'ts', direction: 'desc' }],
      top: ['U17'],
    };
    expect(encodeLook(look)).toBe('h.name_s.dts_k.U17');
  });

  it('leaves out what it does not understand and keeps the rest', () => {
    expect(decodeLook('h.name_x.what_s.qts.dage.a_w.age.7.ts.100.b_z.-1_~~_q.age.i.r.x.y')).toEqual(
      {
        hidden: ['name'],
        sort: [{ column: 'age', direction: 'desc' }],
        widths: [{ column: 'ts', width: 100 }],
      },
    );
  });

  it('never throws and never pollutes, whatever the text', () => {
    const throws = dice(7);
    const characters = '._~-aohvwzskqtrme09%';
    for (let n = 0; n < 2_000; n++) {
      const text = Array.from({ length: throws(40) }, () => characters[throws(20)]).join('');
      const look = decodeLook(text);
      expect(decodeLook(encodeLook(look))).toEqual(look);
    }
    decodeLook('w.~5f~5fproto~5f~5f.100_t.~5f~5fproto~5f~5f.t.x');
    expect(({} as Record<string, unknown>)['width']).toBeUndefined();
  });

  it('has its limits: a text too long is none, and lists of values give way first', () => {
    expect(decodeLook(`h.${'a'.repeat(MAX_LOOK_TEXT)}`)).toEqual({});
    const values = Array.from({ length: 100 }, (_, n) => 'x'.repeat(100) + n);
    const look: GridLook = {
      hidden: ['name'],
      filters: [{ column: 'city', kind: 'text', quick: { kind: 'oneOf', values } }],
    };
    expect(decodeLook(encodeLook(look))).toEqual({ hidden: ['name'] });
  });
});

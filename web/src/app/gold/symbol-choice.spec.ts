import { beforeEach, describe, expect, it } from 'vitest';
import { MOST_SYMBOLS, SymbolChoice } from './symbol-choice';

let kept: Map<string, string>;
let told: (readonly string[])[];

/** A choice as made when the page is opened in a tab. */
function open(): SymbolChoice {
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
  };
  return new SymbolChoice(storage, (symbols) => told.push(symbols));
}

beforeEach(() => {
  kept = new Map();
  told = [];
});

describe('SymbolChoice', () => {
  it('takes the first three of what is suggested, as long as the viewer has not chosen', () => {
    const choice = open();
    choice.suggest(['A', 'B', 'C', 'D']);
    choice.suggest(['X', 'Y', 'Z']);
    expect(choice.undecided).toBe(true);
    choice.remove('Y');
    choice.suggest(['A']);
    expect(choice.undecided).toBe(false);
    expect(told).toEqual([
      ['A', 'B', 'C'],
      ['X', 'Y', 'Z'],
      ['X', 'Z'],
    ]);
  });

  it('remembers what the viewer chose, even nothing', () => {
    const choice = open();
    choice.suggest(['A']);
    choice.add('B');
    expect(open().symbols).toEqual(['A', 'B']);
    choice.remove('A');
    choice.remove('B');
    const again = open();
    again.suggest(['A']);
    expect(again.symbols).toEqual([]);
  });

  it('adds none twice and not more than there is room for', () => {
    const choice = open();
    [...'ABCDEFGH', 'A', ''].forEach((symbol) => choice.add(symbol));
    expect(choice.symbols).toEqual([...'ABCDEF']);
    expect(choice.symbols).toHaveLength(MOST_SYMBOLS);
  });

  it('begins anew when what was kept cannot be read', () => {
    kept.set('tidegrid.gold.symbols', '{');
    expect(open().undecided).toBe(true);
    kept.set('tidegrid.gold.symbols', '["A", 7]');
    expect(open().symbols).toEqual(['A']);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { firstLines, MOST_LINES, LineChoice } from './line-choice';

let kept: Map<string, string>;
let told: (readonly string[])[];

/** A choice as made when the page is opened in a tab. */
function open(): LineChoice {
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  };
  return new LineChoice(storage, 'lines', (names) => told.push(names));
}

beforeEach(() => {
  kept = new Map();
  told = [];
});

describe('LineChoice', () => {
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
    expect(open().names).toEqual(['A', 'B']);
    choice.remove('A');
    choice.remove('B');
    const again = open();
    again.suggest(['A']);
    expect(again.names).toEqual([]);
  });

  it('adds none twice and not more than there is room for', () => {
    const choice = open();
    [...'ABCDEFGH', 'A', ''].forEach((name) => choice.add(name));
    expect(choice.names).toEqual([...'ABCDEF']);
    expect(choice.names).toHaveLength(MOST_LINES);
  });

  it('begins again when what was kept cannot be read', () => {
    kept.set('lines', '{');
    expect(open().undecided).toBe(true);
    kept.set('lines', '["A", 7]');
    expect(open().names).toEqual(['A']);
  });

  it('is that of somebody who never chose after it was forgotten, in this tab too', () => {
    const choice = open();
    choice.suggest(['A', 'B']);
    choice.take(['X']);
    choice.forget();
    expect([choice.names, choice.undecided]).toEqual([['A', 'B'], true]);
    expect(told.at(-1)).toEqual(['A', 'B']);
    expect(open().undecided).toBe(true);
  });
});

describe('firstLines', () => {
  it('are the first by name, and stay while they are there', () => {
    expect(firstLines([], ['B', 'C', 'D', 'E'])).toEqual(['B', 'C', 'D']);
    const before = ['B', 'C', 'D'];
    expect(firstLines(before, ['A', 'B', 'C', 'D'])).toBe(before);
    expect(firstLines(before, ['A', 'B', 'D'])).toEqual(['A', 'B', 'D']);
  });

  it('are more when there are more', () => {
    expect(firstLines(['A'], ['A', 'B'])).toEqual(['A', 'B']);
    expect(firstLines(['A', 'B'], ['A', 'B'])).toEqual(['A', 'B']);
  });
});

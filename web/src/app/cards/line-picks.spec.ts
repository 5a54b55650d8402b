import { describe, expect, it } from 'vitest';
import { picksOf } from './line-picks';

const OFFERED = [...'ABCDEFGH'];

describe('picksOf', () => {
  it('adds what is selected and removes what no longer is', () => {
    expect(picksOf(['A', 'B'], OFFERED, ['B', 'C'])).toEqual({
      added: ['C'],
      removed: ['A'],
      selected: ['B', 'C'],
    });
  });

  it('leaves lines alone that are not among what is offered', () => {
    expect(picksOf(['X', 'A'], OFFERED, ['A', 'B'])).toMatchObject({ added: ['B'], removed: [] });
  });

  it('takes no more than there is room for', () => {
    expect(picksOf(['X', 'A'], OFFERED, OFFERED)).toEqual({
      added: ['B', 'C', 'D', 'E'],
      removed: [],
      selected: ['A', 'B', 'C', 'D', 'E'],
    });
  });
});

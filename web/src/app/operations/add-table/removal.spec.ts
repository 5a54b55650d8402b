import { describe, expect, it } from 'vitest';
import { removablesOf, type FlowSource } from './removal';

const source = (flow: string, topic: string, state = 'live'): FlowSource => ({
  flow,
  title: flow.toUpperCase(),
  topic,
  state,
});

describe('removablesOf', () => {
  it('says what a removal takes away and what it reads', () => {
    const sources = [source('shop', 'shop.people'), source('shop', 'shop.cards')];
    const tables = [
      { flow: 'shop', table: 'people' },
      { flow: 'other', table: 'of_another' },
      { flow: 'shop', table: 'cards' },
    ];
    expect(removablesOf(sources, tables)).toEqual([
      {
        flow: 'shop',
        title: 'SHOP',
        tables: ['people', 'cards'],
        topics: ['shop.people', 'shop.cards'],
      },
    ]);
  });

  it('leaves out what does not run: nothing of it could be removed', () => {
    expect(removablesOf([source('shop', 'shop.people', 'waiting')], [])).toEqual([]);
  });
});

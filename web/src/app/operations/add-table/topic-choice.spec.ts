import { describe, expect, it } from 'vitest';
import { foundTopics } from './topic-choice';

const topics = ['orders', 'shop.Orders', 'shop.people'].map((topic) => ({
  topic,
  partitions: 1,
  records: null,
}));
const found = (search: string) => foundTopics(topics, search).map(({ topic }) => topic);

describe('foundTopics', () => {
  it('finds all words in any case, and those that begin so first', () => {
    expect(found('')).toEqual(['orders', 'shop.Orders', 'shop.people']);
    expect(found(' ORD ')).toEqual(['orders', 'shop.Orders']);
    expect(found('shop')).toEqual(['shop.Orders', 'shop.people']);
    expect(found('peo shop')).toEqual(['shop.people']);
    expect(found('nothing')).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { newestOf, newestQuery } from './newest-record';

const source = (topic: string) => ({ name: topic, topic });

describe('newestOf', () => {
  const known = [
    { topic: 'users', at: 5 },
    { topic: 'accounts', at: 9 },
    { topic: 'silent', at: null },
  ];

  it('is that of the source which has the newest', () => {
    expect(newestOf([source('users'), source('accounts')], known)).toBe(9);
  });

  it('is not known as long as that of one source is not', () => {
    expect(newestOf([source('users'), source('silent')], known)).toBeNull();
    expect(newestOf([source('users'), source('gone')], known)).toBeNull();
    expect(newestOf([], known)).toBeNull();
  });
});

describe('newestQuery', () => {
  it('asks for each topic once, and for nothing without one', () => {
    expect(newestQuery(['b', 'a', 'b'])?.filters).toEqual([
      { column: 'topic', op: 'oneOf', values: ['a', 'b'] },
    ]);
    expect(newestQuery([])).toBeNull();
  });
});

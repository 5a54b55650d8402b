import { describe, expect, it } from 'vitest';
import { changeText, falls, newestPreview, type ViewPreview } from './preview';

function preview(generation: number, view: string, at: number, flow = 'customers'): ViewPreview {
  const change = { before: 1, after: 2 };
  return { flow, generation, view, rows: change, keys: change, at };
}

describe('newestPreview', () => {
  it('does not mind what is counted of another flow', () => {
    const all = [preview(7, 'users_ui', 50), preview(9, 'gold_latest', 90, 'positions')];
    const views = (flow: string) => newestPreview(all, flow).map(({ view }) => view);
    expect(views('customers')).toEqual(['users_ui']);
    expect(views('positions')).toEqual(['gold_latest']);
  });

  it('takes the views of the generation that was counted last, by name', () => {
    const all = [
      preview(7, 'users_ui', 50),
      preview(8, 'users_ui', 90),
      preview(8, 'accounts_ui', 80),
      preview(7, 'accounts_ui', 50),
    ];
    expect(
      newestPreview(all, 'customers').map(({ generation, view }) => [generation, view]),
    ).toEqual([
      [8, 'accounts_ui'],
      [8, 'users_ui'],
    ]);
    expect(newestPreview([], 'customers')).toEqual([]);
  });
});

describe('changeText', () => {
  it.each([
    [100, 100, 'same'],
    [0, 0, 'same'],
    [0, 5, 'new'],
    [100, 150, '+50 %'],
    [100, 0, '−100 %'],
    [1000, 1015, '+1.5 %'],
    [1000, 995, '−0.5 %'],
    [100_000, 99_999, '−<0.1 %'],
    [100_000, 1, '−>99.9 %'],
    [1000, 5, '−99.5 %'],
    [100, 1234, '+1134 %'],
  ])('from %i to %i is %s', (before, after, text) => {
    expect(changeText({ before, after })).toBe(text);
  });

  it('tells what falls', () => {
    expect(falls({ before: 2, after: 1 })).toBe(true);
    expect(falls({ before: 2, after: 2 })).toBe(false);
  });
});

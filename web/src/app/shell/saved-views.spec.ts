import { describe, expect, it } from 'vitest';
import { keepViews, MOST_VIEWS, readViews, withoutView, withView } from './saved-views';

function storage(text: string | null) {
  const kept = { text };
  return {
    kept,
    getItem: () => kept.text,
    setItem: (_: string, value: string) => void (kept.text = value),
  };
}

describe('saved views', () => {
  it('are read as they were kept, the newest first', () => {
    const store = storage(null);
    keepViews(store, withView(withView([], 'one', '/gold'), ' two ', '/gold?of=S1'));
    expect(readViews(store)).toEqual([
      { name: 'two', url: '/gold?of=S1' },
      { name: 'one', url: '/gold' },
    ]);
  });

  it('have one of each name', () => {
    const views = withView(withView([], 'one', '/gold'), 'one', '/customers');
    expect(views).toEqual([{ name: 'one', url: '/customers' }]);
    expect(withoutView(views, 'one')).toEqual([]);
  });

  it('have a name', () => {
    expect(withView([], '  ', '/gold')).toEqual([]);
  });

  it('are not without end', () => {
    let views = withView([], 'first', '/gold');
    for (let n = 0; n < MOST_VIEWS; n++) {
      views = withView(views, `view ${n}`, '/gold');
    }
    expect(views.length).toBe(MOST_VIEWS);
    expect(views.some(({ name }) => name === 'first')).toBe(false);
  });

  it('leave out what cannot be one', () => {
    for (const text of ['{', '5', '[null, {"name": "x"}]', '[{"name":"x","url":"//evil"}]']) {
      expect(readViews(storage(text))).toEqual([]);
    }
  });
});

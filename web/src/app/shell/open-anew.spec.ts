import { beforeEach, describe, expect, it } from 'vitest';
import { openAnew, type Opener } from './open-anew';

let kept: Map<string, string>;
let reloads: string[];

function opener(answer: () => Promise<{ ok: boolean }>): Opener {
  const location = { hash: '', reload: () => void reloads.push(location.hash) };
  const sessionStorage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
  };
  return { location, sessionStorage, fetch: answer };
}

beforeEach(() => {
  kept = new Map();
  reloads = [];
});

describe('openAnew', () => {
  it('opens the page where the viewer wanted to go, once', async () => {
    const window = opener(() => Promise.resolve({ ok: true }));
    await openAnew('/gold', window);
    await openAnew('/gold', window);
    expect(reloads).toEqual(['/gold']);
  });

  it('stays where it is while the server is away', async () => {
    await openAnew(
      '/gold',
      opener(() => Promise.reject(new Error('away'))),
    );
    await openAnew(
      '/gold',
      opener(() => Promise.resolve({ ok: false })),
    );
    expect(reloads).toEqual([]);
  });
});

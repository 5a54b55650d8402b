import { beforeEach, describe, expect, it } from 'vitest';
import { reloadPage, type Opener } from './reload-page';

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

describe('reloadPage', () => {
  it('opens the page where the viewer wanted to go, once', async () => {
    const window = opener(() => Promise.resolve({ ok: true }));
    await reloadPage('/gold', window);
    await reloadPage('/gold', window);
    expect(reloads).toEqual(['/gold']);
  });

  it('stays where it is while the server is away', async () => {
    await reloadPage(
      '/gold',
      opener(() => Promise.reject(new Error('away'))),
    );
    await reloadPage(
      '/gold',
      opener(() => Promise.resolve({ ok: false })),
    );
    expect(reloads).toEqual([]);
  });
});

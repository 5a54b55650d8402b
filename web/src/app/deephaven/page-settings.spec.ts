import { afterEach, describe, expect, it, vi } from 'vitest';
import { readPageSettings } from './page-settings';

const ORIGIN = 'https://tables.example.com';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A server that answers so; returns the addresses that it was asked for. */
function answer(response: () => Response | Promise<Response>): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (address: string) => {
    asked.push(address);
    return Promise.resolve().then(response);
  });
  return asked;
}

describe('readPageSettings', () => {
  it('reads the file beside the page', async () => {
    const asked = answer(() => Response.json({ exports: false }));
    expect(await readPageSettings(ORIGIN, 1_000)).toEqual({ exports: false });
    expect(asked).toEqual([`${ORIGIN}/js-plugins/tidegrid/settings.json`]);
  });

  it('does not mind what it does not know', async () => {
    answer(() => Response.json({ exports: true, colour: 'red' }));
    expect(await readPageSettings(ORIGIN, 1_000)).toEqual({ exports: true });
  });

  it.each([
    ['a file that is not there', () => new Response('', { status: 404 })],
    ['no JSON', () => new Response('<html>')],
    ['null', () => Response.json(null)],
    ['another type', () => Response.json({ exports: 'no' })],
    ['no answer', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('takes %s for nothing told', async (_, response) => {
    answer(response);
    expect(await readPageSettings(ORIGIN, 1_000)).toBeNull();
  });
});

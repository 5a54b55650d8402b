import { describe, expect, it } from 'vitest';
import { copyText } from './copy-text';

/** A page whose browser tells of a copy, or does not where nothing is selected. */
class Page extends EventTarget {
  copied = '';

  constructor(private readonly tells: boolean) {
    super();
  }

  execCommand(): boolean {
    const data = { setData: (_: string, text: string) => void (this.copied = text) };
    const event = Object.assign(new Event('copy', { cancelable: true }), { clipboardData: data });
    return this.tells && this.dispatchEvent(event);
  }
}

const refused = { writeText: () => Promise.reject(new Error('no')) };

describe('copyText', () => {
  it('answers the copy of the browser, once', async () => {
    const page = new Page(true);
    expect(await copyText('one', page, refused)).toBe(true);
    expect(page.copied).toBe('one');
    page.copied = '';
    page.execCommand();
    expect(page.copied).toBe('');
  });

  it('asks the clipboard of a browser that copies only what is selected', async () => {
    const written: string[] = [];
    const clipboard = { writeText: (text: string) => Promise.resolve(void written.push(text)) };
    expect(await copyText('two', new Page(false), clipboard)).toBe(true);
    expect(written).toEqual(['two']);
  });

  it('says when nothing is allowed', async () => {
    expect(await copyText('x', new Page(false), refused)).toBe(false);
    expect(await copyText('x', new Page(false), undefined)).toBe(false);
  });
});

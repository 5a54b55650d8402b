import { describe, expect, it } from 'vitest';
import { headKey } from './head-keys';

const keys = { ctrlKey: false, shiftKey: false, altKey: false };

describe('headKey', () => {
  it('moves with Ctrl, resizes with Shift, opens the menu', () => {
    expect(headKey({ ...keys, key: 'ArrowLeft', ctrlKey: true })).toEqual({ kind: 'move', by: -1 });
    expect(headKey({ ...keys, key: 'ArrowRight', shiftKey: true })).toMatchObject({
      kind: 'width',
    });
    expect(headKey({ ...keys, key: 'ArrowDown', altKey: true })).toBe('menu');
    expect(headKey({ ...keys, key: 'F10', shiftKey: true })).toBe('menu');
  });

  it('leaves every other key alone', () => {
    expect(headKey({ ...keys, key: 'ArrowLeft' })).toBeNull();
    expect(headKey({ ...keys, key: 'ArrowLeft', altKey: true })).toBeNull();
    expect(headKey({ ...keys, key: 'Enter', shiftKey: true })).toBeNull();
  });
});

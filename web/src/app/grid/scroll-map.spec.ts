import { describe, expect, it } from 'vitest';
import { scrollMap } from './scroll-map';

describe('scrollMap', () => {
  it('maps a pixel to a pixel as long as the rows fit into an element', () => {
    const map = scrollMap(100_000, 24, 480);
    expect(map.scaled).toBe(false);
    expect(map.contentHeight).toBe(2_400_000);
    expect(map.topAt(240)).toBeCloseTo(10);
    expect(map.scrollTopOf(10)).toBeCloseTo(240);
  });

  it('scales beyond that, and still reaches the first and the last row', () => {
    const map = scrollMap(50_000_000, 24, 480);
    expect(map.scaled).toBe(true);
    expect(map.contentHeight).toBe(8_000_000);
    expect(map.topAt(0)).toBe(0);
    expect(map.topAt(map.contentHeight - 480)).toBeCloseTo(50_000_000 - 20);
    expect(map.topAt(map.scrollTopOf(25_000_000))).toBeCloseTo(25_000_000);
  });

  it('has nowhere to go when everything fits', () => {
    const map = scrollMap(5, 24, 480);
    expect(map.lastTop).toBe(0);
    expect(map.topAt(100)).toBe(0);
    expect(map.scrollTopOf(3)).toBe(0);
  });
});

import { describe, expect, it } from 'vitest';
import { LatencyWindow, percentile } from './latency-window';

describe('percentile', () => {
  it('takes the nearest rank', () => {
    const hundred = Array.from({ length: 100 }, (_, n) => n + 1);
    expect(percentile(hundred, 0.5)).toBe(50);
    expect(percentile(hundred, 0.99)).toBe(99);
    expect(percentile([7], 0.99)).toBe(7);
    expect(percentile([], 0.5)).toBeNull();
  });
});

describe('LatencyWindow', () => {
  it('keeps only the newest samples', () => {
    const window = new LatencyWindow(10);
    for (let n = 1; n <= 100; n++) {
      window.add(n, 0);
    }
    expect(window.read(0)).toEqual({ count: 10, p50: 95, p99: 100 });
  });

  it('forgets samples that are too old', () => {
    const window = new LatencyWindow(10, 1_000);
    window.add(500, 0);
    window.add(20, 900);
    expect(window.read(1_500)).toEqual({ count: 1, p50: 20, p99: 20 });
    expect(window.read(9_000)).toEqual({ count: 0, p50: null, p99: null });
  });
});

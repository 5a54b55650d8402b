import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChartPace, DRAW_EVERY } from './chart-pace';

let pace: ChartPace;
let hidden: boolean;
let drawn: string[];

const draws = (name: string) => () => drawn.push(name);
const bars = () => draws('bars')();

beforeEach(() => {
  vi.useFakeTimers();
  hidden = false;
  drawn = [];
  pace = new ChartPace({
    frame: (callback) => void setTimeout(callback, 16),
    later: (callback, milliseconds) => void setTimeout(callback, milliseconds),
    hidden: () => hidden,
    clock: Date.now,
  });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('ChartPace', () => {
  it('draws the first time in the next frame, all charts in the same one', () => {
    pace.request(draws('bars'));
    pace.request(draws('lines'));
    expect(drawn).toEqual([]);
    vi.advanceTimersByTime(16);
    expect(drawn).toEqual(['bars', 'lines']);
  });

  it('draws at most four times a second, however often it is asked', () => {
    for (let n = 0; n < 200; n++) {
      pace.request(bars);
      vi.advanceTimersByTime(10);
    }
    expect(drawn.length).toBeGreaterThanOrEqual(7);
    expect(drawn.length).toBeLessThanOrEqual(8);
  });

  it('draws nothing while nobody looks, and once when somebody does again', () => {
    hidden = true;
    pace.request(bars);
    pace.request(bars);
    pace.hurry();
    vi.advanceTimersByTime(10_000);
    expect(drawn).toEqual([]);
    hidden = false;
    pace.resume();
    vi.advanceTimersByTime(16);
    expect(drawn).toEqual(['bars']);
  });

  it('waits when the page is hidden between asking and the frame', () => {
    pace.request(bars);
    hidden = true;
    vi.advanceTimersByTime(100);
    hidden = false;
    pace.resume();
    vi.advanceTimersByTime(16);
    expect(drawn).toEqual(['bars']);
  });

  it('draws at once in a hurry, and no sooner again for it', () => {
    pace.request(bars);
    pace.hurry();
    expect(drawn).toEqual(['bars']);
    pace.request(bars);
    vi.advanceTimersByTime(DRAW_EVERY - 10);
    expect(drawn).toHaveLength(1);
    vi.advanceTimersByTime(50);
    expect(drawn).toHaveLength(2);
  });

  it('forgets what is cancelled', () => {
    pace.request(bars);
    pace.cancel(bars);
    vi.advanceTimersByTime(1_000);
    expect(drawn).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { FlowNews, SHORTEST } from './flow-news';

/** News that came every so many milliseconds, and when the last did. */
function every(gap: number, times: number): { news: FlowNews; last: number } {
  const news = new FlowNews(0);
  for (let n = 0; n <= times; n++) {
    news.take(n, n * gap);
  }
  return { news, last: times * gap };
}

describe('FlowNews', () => {
  it('waits a minute as long as it has learned too little', () => {
    const { news, last } = every(2_000, 2);
    expect([news.isLate(last + 60_000), news.isLate(last + 60_001)]).toEqual([false, true]);
  });

  it('finds a busy flow late after a quarter of a minute', () => {
    const { news, last } = every(2_000, 30);
    expect(news.usual).toBe(SHORTEST);
    expect([news.isLate(last + SHORTEST), news.isLate(last + SHORTEST + 1)]).toEqual([false, true]);
  });

  it('knows a flow that has something new every few minutes', () => {
    const { news, last } = every(120_000, 8);
    expect(news.isLate(last + 300_000)).toBe(false);
    expect(news.isLate(last + 400_000)).toBe(true);
  });

  it('is not surprised by one long gap among many, nor learns from one', () => {
    const { news, last } = every(2_000, 40);
    news.take(1_000, last + 600_000);
    expect(news.usual).toBe(SHORTEST);
  });

  it('counts from the last news, and not the time of an outage', () => {
    const { news, last } = every(2_000, 10);
    news.take(10, last + 9_000);
    expect(news.quietFor(last + 10_000)).toBe(10_000);
    news.resume(last + 50_000);
    expect(news.quietFor(last + 51_000)).toBe(1_000);
  });

  it('knows from the source how long nothing has come before it was there', () => {
    const news = new FlowNews(600_000);
    news.take(5, 600_000);
    news.takeNewest(1_000);
    expect([news.quietFor(601_000), news.isLate(601_000)]).toEqual([600_000, true]);
    // A clock that is ahead makes nothing newer than it can be.
    news.takeNewest(900_000);
    expect(news.quietFor(601_000)).toBe(600_000);
  });

  it('believes what it has seen itself rather than the source', () => {
    const { news, last } = every(2_000, 10);
    news.takeNewest(1);
    expect(news.quietFor(last + 1_000)).toBe(1_000);
    const after = new FlowNews(0);
    after.resume(50_000);
    after.takeNewest(1);
    expect(after.quietFor(51_000)).toBe(1_000);
  });
});

import { describe, expect, it } from 'vitest';
import { momentText } from './moment-text';

describe('momentText', () => {
  it('gives the date only when it is not of today', () => {
    const noon = new Date(2026, 4, 1, 12, 3, 9).getTime();
    expect(momentText(noon, new Date(2026, 4, 1, 23, 59).getTime())).toBe('12:03:09');
    expect(momentText(noon, new Date(2026, 4, 2, 0, 1).getTime())).toBe('2026-05-01 12:03:09');
  });
});

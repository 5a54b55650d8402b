import { describe, expect, it } from 'vitest';
import {
  ageText,
  dateTimeText,
  inputTimeText,
  millisecondsText,
  minuteText,
  momentText,
  tookText,
} from './time-text';

describe('momentText', () => {
  it('gives the date only when it is not of today', () => {
    const noon = new Date(2026, 4, 1, 12, 3, 9).getTime();
    expect(momentText(noon, new Date(2026, 4, 1, 23, 59).getTime())).toBe('12:03:09');
    expect(momentText(noon, new Date(2026, 4, 2, 0, 1).getTime())).toBe('2026-05-01 12:03:09');
  });
});

describe('ageText', () => {
  it('gets coarser as time goes by', () => {
    expect([50, 9_940, 59_000, 150_000, 8_000_000].map(ageText)).toEqual([
      '0.1 s',
      '9.9 s',
      '59 s',
      '2 min',
      '2 h',
    ]);
  });
});

describe('The parts of a time', () => {
  it('are by the clock of the viewer', () => {
    const at = new Date(2026, 0, 5, 7, 8, 9, 12).getTime();
    expect([minuteText(at), dateTimeText(at)]).toEqual(['07:08', '2026-01-05 07:08:09.012']);
  });

  it('fit an input of date and time', () => {
    const early = new Date(2000, 0, 5, 7, 8, 9, 12);
    early.setFullYear(987);
    expect(inputTimeText(early.getTime())).toBe('0987-01-05T07:08:09');
  });
});

describe('A short time', () => {
  it('is in milliseconds, and in seconds where it took longer', () => {
    expect([0.4, 999, 1_234].map(millisecondsText)).toEqual(['0 ms', '999 ms', '1,234 ms']);
    expect([250, 1_000, 150_260].map(tookText)).toEqual(['250 ms', '1.0 s', '150.3 s']);
  });
});

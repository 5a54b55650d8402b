import { expect, it } from 'vitest';
import { NO_ROWS } from '../live-rows/live-rows';
import { problemOf } from './card-problem';

it('says why rows are no longer followed, whichever they are', () => {
  const live = { ...NO_ROWS, rows: [1], state: { kind: 'live' } as const };
  const failed = { ...live, state: { kind: 'failed', reason: 'It is gone.', retryAt: 0 } as const };
  expect(problemOf(live, NO_ROWS)).toBe('');
  expect(problemOf(live, failed)).toBe('It is gone. Trying again.');
});

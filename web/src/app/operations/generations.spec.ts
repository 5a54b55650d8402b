import { describe, expect, it } from 'vitest';
import { generationsOf, isUnderWay } from './generations';
import { receipt, ROLLED_BACK } from './testing/receipt';

describe('generationsOf', () => {
  it('joins the receipts of a generation in the order of time, however they come', () => {
    const [only, ...rest] = generationsOf([
      receipt(7, 'live', 103.5),
      receipt(7, 'building', 101),
      receipt(7, 'caught-up', 103),
    ]);
    expect(rest).toEqual([]);
    expect(only).toMatchObject({
      key: 'customers/7',
      state: 'live',
      at: 103_500,
      took: 2_500,
      topics: ['users-7', 'accounts-7'],
    });
    expect(only!.steps).toEqual([
      { state: 'building', at: 101_000, after: null, rollback: false },
      { state: 'caught-up', at: 103_000, after: 2_000, rollback: false },
      { state: 'live', at: 103_500, after: 500, rollback: false },
    ]);
  });

  it('puts states of the same millisecond in the order in which they happen', () => {
    const [only] = generationsOf([receipt(7, 'live', 5), receipt(7, 'caught-up', 5)]);
    expect(only!.state).toBe('live');
  });

  it('shows the newest first, with refused messages among them, each on its own', () => {
    const refused = { topics: [], reason: 'not JSON' };
    const keys = generationsOf([
      receipt(1, 'building', 1),
      receipt(0, 'refused', 2, { ...refused, control: 40 }),
      receipt(0, 'refused', 3, { ...refused, control: 41 }),
      receipt(2, 'building', 4),
      receipt(1, 'lingering', 9),
    ]).map(({ key }) => key);
    expect(keys).toEqual([
      'customers/2',
      'customers/message-41',
      'customers/message-40',
      'customers/1',
    ]);
  });

  it('gives the reason of the last state', () => {
    const [only] = generationsOf([
      receipt(7, 'building', 1),
      receipt(7, 'failed', 9, { reason: 'not caught up in 60 s' }),
    ]);
    expect(only).toMatchObject({ state: 'failed', reason: 'not caught up in 60 s', took: null });
  });

  it('marks a rollback, and still knows the first take-over', () => {
    const [only] = generationsOf(ROLLED_BACK);
    expect(only).toMatchObject({ state: 'live', control: 16, took: 3_000 });
    expect(only!.steps.map(({ state, rollback }) => [state, rollback])).toEqual([
      ['building', false],
      ['caught-up', false],
      ['live', false],
      ['lingering', false],
      ['caught-up', true],
      ['live', false],
    ]);
  });

  it('does not guess how long it took when the start is not among the receipts', () => {
    const [only] = generationsOf([receipt(7, 'caught-up', 4), receipt(7, 'live', 5)]);
    expect(only!.took).toBeNull();
  });
});

describe('isUnderWay', () => {
  it('is so from building until live', () => {
    const states = (['building', 'caught-up', 'live', 'failed'] as const).map((state) =>
      generationsOf([receipt(1, state, 1)]).some(isUnderWay),
    );
    expect(states).toEqual([true, true, false, false]);
  });
});

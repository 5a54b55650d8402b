import { describe, expect, it } from 'vitest';
import { generationsOf } from './generations';
import { rollbackOffer } from './rollback';
import { receipt } from './testing/receipt';

const LINGERING = [
  receipt(6, 'building', 1),
  receipt(6, 'live', 2),
  receipt(6, 'lingering', 100),
  receipt(7, 'building', 90),
  receipt(7, 'live', 99),
];

const offer = (receipts = LINGERING, seconds = 105, linger: number | null = 20) =>
  rollbackOffer(generationsOf(receipts), 'customers', linger, seconds * 1000);

describe('rollbackOffer', () => {
  it('names what it goes back to and counts down, never below none', () => {
    expect(offer()).toEqual({
      possible: true,
      generation: 6,
      sources: 'users-6, accounts-6, left join',
      secondsLeft: 15,
    });
    expect(offer(LINGERING, 105.2)).toMatchObject({ secondsLeft: 15 });
    expect(offer(LINGERING, 300)).toMatchObject({ possible: true, secondsLeft: 0 });
  });

  it('offers it without a countdown when the linger time is not known', () => {
    expect(offer(LINGERING, 105, null)).toMatchObject({ possible: true, secondsLeft: null });
  });

  it('offers nothing once the earlier generation is closed', () => {
    expect(offer([...LINGERING, receipt(6, 'closed', 121)])).toEqual({
      possible: false,
      why: 'No earlier generation lingers.',
    });
  });

  it('offers nothing while a newer generation is being built', () => {
    expect(offer([...LINGERING, receipt(8, 'building', 104)])).toEqual({
      possible: false,
      why: 'A newer generation is being built.',
    });
  });

  it('goes forward again after a rollback, to the one that lingers then', () => {
    const back = [receipt(6, 'caught-up', 106, { control: 18 }), receipt(6, 'live', 106.1)];
    const receipts = [
      ...LINGERING.filter((r) => r.state !== 'live' || r.generation !== 6),
      ...back,
    ];
    expect(offer([...receipts, receipt(7, 'lingering', 107)], 110)).toMatchObject({
      generation: 7,
      secondsLeft: 17,
    });
  });

  it('looks only at its own flow', () => {
    const other = LINGERING.map((r) => ({ ...r, flow: 'positions' }));
    expect(offer(other)).toMatchObject({ possible: false });
  });
});

import type { GenerationState, Receipt } from '../receipts';

/** A receipt of the customers flow; the time is in seconds. */
export function receipt(
  generation: number,
  state: GenerationState,
  seconds: number,
  more: Partial<Receipt> = {},
): Receipt {
  return {
    flow: 'customers',
    generation,
    state,
    at: seconds * 1000,
    topics: [`users-${generation}`, `accounts-${generation}`],
    join: 'left',
    reason: '',
    starting: 'earliest',
    control: 10 + generation,
    ...more,
  };
}

/** A generation that was swapped in by message 16, left by the next, and rolled back to by 18. */
export const ROLLED_BACK: readonly Receipt[] = [
  receipt(6, 'building', 1),
  receipt(6, 'caught-up', 3),
  receipt(6, 'live', 4),
  receipt(6, 'lingering', 62),
  receipt(6, 'caught-up', 70, { control: 18 }),
  receipt(6, 'live', 71, { control: 18 }),
];

import { beforeEach, describe, expect, it } from 'vitest';
import { GRACE, HeldRows } from './held-rows';

let held: HeldRows<string>;

beforeEach(() => {
  held = new HeldRows((row) => row);
  held.take(['customers', 'positions']);
});

describe('HeldRows', () => {
  it('drops a row that is removed while the server runs', () => {
    held.take(['customers']);
    expect(held.read(0)).toEqual(['customers']);
  });

  it('keeps what a server that was started again has not told yet', () => {
    held.reconnected(1_000);
    held.take([]);
    expect(held.read(2_000)).toEqual(['customers', 'positions']);
    held.take(['customers']);
    expect(held.read(3_000)).toEqual(['customers', 'positions']);
    held.take(['customers', 'positions']);
    held.take(['positions']);
    expect(held.read(4_000)).toEqual(['positions']);
  });

  it('believes after a while that it is gone', () => {
    held.reconnected(1_000);
    held.take(['customers']);
    expect(held.read(1_000 + GRACE)).toEqual(['customers']);
  });

  it('keeps it through a second restart', () => {
    held.reconnected(1_000);
    held.take(['customers']);
    held.reconnected(5_000);
    expect(held.read(6_000)).toEqual(['customers', 'positions']);
  });
});

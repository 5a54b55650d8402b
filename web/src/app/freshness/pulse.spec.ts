import { describe, expect, it } from 'vitest';
import { Pulse } from './pulse';

describe('Pulse', () => {
  it('tells the age of the newest row in any grid that is there', () => {
    const pulse = new Pulse();
    const [users, accounts] = [{}, {}];
    expect(pulse.read(1000).age).toBeNull();
    pulse.saw(users, 400);
    pulse.saw(accounts, 900);
    expect(pulse.read(1000).age).toBe(100);
    pulse.forget(accounts);
    expect(pulse.read(1000).age).toBe(600);
    pulse.forget(users);
    expect(pulse.read(1000).age).toBeNull();
  });

  it('follows a grid whose rows have become older, as by a swap', () => {
    const pulse = new Pulse();
    const users = {};
    pulse.saw(users, 900);
    pulse.saw(users, 100);
    expect(pulse.read(1000).age).toBe(900);
  });

  it('leaves out events that waited while their flow was behind, and says so for a while', () => {
    const pulse = new Pulse();
    pulse.painted([900], 1_000, 'orders');
    pulse.behind('orders', true, 2_000);
    pulse.painted([1_500], 3_000, 'orders');
    pulse.painted([2_900], 3_000, 'customers');
    expect(pulse.read(3_000)).toMatchObject({ count: 2, p99: 100, leftOut: true });
    pulse.behind('orders', false, 4_000);
    // The backlog that is still on its way waited as well.
    pulse.painted([3_900, 4_900], 5_000, 'orders');
    expect(pulse.read(5_000)).toMatchObject({ count: 3, p99: 100 });
    expect(pulse.read(65_001).leftOut).toBe(false);
  });
});

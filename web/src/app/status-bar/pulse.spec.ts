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
});

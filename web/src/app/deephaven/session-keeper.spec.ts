import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UnreachableError, WrongKeyError } from './errors';
import { CHECK_EVERY, SessionKeeper, type Connection } from './session-keeper';
import { MemoryServer } from './testing/memory-server';

let server: MemoryServer;
let keeper: SessionKeeper;
let seen: Connection[];

const pass = (milliseconds = 50) => vi.advanceTimersByTimeAsync(milliseconds);
const kind = () => seen.at(-1)!.kind;

async function signIn(key = 'secret'): Promise<unknown> {
  const result = keeper.signIn(key).catch((error: unknown) => error);
  await pass();
  return result;
}

beforeEach(() => {
  vi.useFakeTimers();
  server = new MemoryServer();
  keeper = new SessionKeeper(server.login, { base: 500, cap: 5_000, random: () => 1 });
  seen = [];
  keeper.onConnection((connection) => seen.push(connection));
});

afterEach(() => {
  vi.useRealTimers();
});

describe('SessionKeeper', () => {
  it('refuses a wrong key and stays signed out', async () => {
    expect(await signIn('wrong')).toBeInstanceOf(WrongKeyError);
    expect(kind()).toBe('signed-out');
  });

  it('says when the server is not there, without trying again by itself', async () => {
    server.up = false;
    expect(await signIn()).toBeInstanceOf(UnreachableError);
    await pass(60_000);
    expect(server.logins).toBe(1);
  });

  it('gives everybody who waits the same session', async () => {
    const waiting = [keeper.current(), keeper.current()];
    await signIn();
    const [first, second] = await Promise.all(waiting);
    expect(first).toBe(second);
    expect(server.logins).toBe(1);
  });

  it('logs in again with growing waits and says when the next attempt is', async () => {
    await signIn();
    server.crash();
    expect(seen.at(-1)).toEqual({
      kind: 'reconnecting',
      retryAt: Date.now() + 500,
      reason: 'The connection was lost.',
    });
    await pass(600);
    expect(server.logins).toBe(2);
    await pass(600);
    expect(server.logins).toBe(2);
    server.up = true;
    await pass(1_000);
    expect(kind()).toBe('connected');
  });

  it('tries at once when asked to', async () => {
    await signIn();
    server.crash();
    server.up = true;
    keeper.retryNow();
    await pass();
    expect(kind()).toBe('connected');
    expect(server.logins).toBe(2);
  });

  it('signs out when a restarted server keeps refusing the key', async () => {
    await signIn();
    server.crash();
    server.up = true;
    server.key = 'another';
    await pass(20_000);
    expect(seen.at(-1)).toEqual({
      kind: 'signed-out',
      reason: 'The server no longer accepts the key. Sign in again.',
    });
    expect(server.logins).toBe(4);
  });

  it('notices a server that hangs without closing the connection', async () => {
    await signIn();
    await pass(10 * CHECK_EVERY);
    expect(kind()).toBe('connected');
    server.frozen = true;
    await pass(2 * CHECK_EVERY + 100);
    expect(kind()).toBe('reconnecting');
    server.frozen = false;
    await pass(1_000);
    expect(kind()).toBe('connected');
  });

  it('drops a log-in that a sign-out has overtaken', async () => {
    await signIn();
    server.crash();
    server.up = true;
    server.delay = 1_000;
    await pass(600);
    keeper.signOut();
    await pass(5_000);
    expect(kind()).toBe('signed-out');
  });
});

import { backoffDelay, DEFAULT_BACKOFF, type BackoffOptions } from './backoff';
import { reasonOf, WrongKeyError } from './errors';
import type { Session } from './remote';
import { withTimeout } from './with-timeout';

/** Where the connection stands. */
export type Connection =
  | { readonly kind: 'signed-out'; readonly reason: string | null }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected' }
  | { readonly kind: 'reconnecting'; readonly retryAt: number; readonly reason: string };

/** After the first log-in a refusal may be a server that is still starting, so it is asked again. */
const REFUSALS_BEFORE_SIGN_OUT = 3;
/** How often a session is checked, and how long the answer may take, in milliseconds. */
export const CHECK_EVERY = 15_000;

/**
 * Holds the one session of the page. When it is lost, logs in again with jittered backoff, once for
 * all who wait; the key lives in this object and nowhere else.
 */
export class SessionKeeper {
  private key: string | null = null;
  private session: Session | null = null;
  private waiting: ((session: Session) => void)[] = [];
  private connection: Connection = { kind: 'signed-out', reason: null };
  private readonly listeners = new Set<(connection: Connection) => void>();
  private readonly lostListeners = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private refusals = 0;
  /** Drops the result of a log-in that a sign-out or a newer one has overtaken. */
  private attempt = 0;

  constructor(
    private readonly login: (key: string) => Promise<Session>,
    private readonly backoff: BackoffOptions = DEFAULT_BACKOFF,
  ) {}

  /** Logs in for the first time; throws what the log-in throws and stays signed out then. */
  async signIn(key: string): Promise<void> {
    this.drop();
    const attempt = ++this.attempt;
    this.setConnection({ kind: 'connecting' });
    try {
      const session = await this.login(key);
      if (attempt !== this.attempt) {
        session.close();
        return;
      }
      this.key = key;
      this.adopt(session);
    } catch (error) {
      if (attempt === this.attempt) {
        this.setConnection({ kind: 'signed-out', reason: null });
      }
      throw error;
    }
  }

  /** Forgets the key and ends the session. */
  signOut(reason: string | null = null): void {
    this.attempt++;
    this.key = null;
    this.drop();
    this.setConnection({ kind: 'signed-out', reason });
  }

  /** The session, if there is one now. */
  get open(): Session | null {
    return this.session;
  }

  /** The session, as soon as there is one. */
  current(): Promise<Session> {
    if (this.session) {
      return Promise.resolve(this.session);
    }
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Calls back now and whenever the connection changes; returns unsubscribe. */
  onConnection(listener: (connection: Connection) => void): () => void {
    this.listeners.add(listener);
    listener(this.connection);
    return () => this.listeners.delete(listener);
  }

  /** Calls back when a session is gone; returns unsubscribe. */
  onLost(listener: () => void): () => void {
    this.lostListeners.add(listener);
    return () => this.lostListeners.delete(listener);
  }

  /** Tries again now instead of after the backoff. */
  retryNow(): void {
    if (this.connection.kind === 'reconnecting' && this.timer !== undefined) {
      void this.relogin();
    }
  }

  private adopt(session: Session): void {
    this.session = session;
    this.failures = 0;
    this.refusals = 0;
    session.onLost(() => this.lose(session, 'The connection was lost.'));
    this.scheduleCheck(session);
    this.setConnection({ kind: 'connected' });
    const waiting = this.waiting;
    this.waiting = [];
    waiting.forEach((resolve) => resolve(session));
  }

  private lose(session: Session, reason: string): void {
    if (this.session === session) {
      this.drop();
      this.scheduleRelogin(reason);
    }
  }

  /** A server that hangs, or a network that swallows everything, closes no connection. */
  private scheduleCheck(session: Session): void {
    this.timer = setTimeout(() => {
      withTimeout(session.check(), CHECK_EVERY, 'Server').then(
        () => {
          if (this.session === session) {
            this.scheduleCheck(session);
          }
        },
        (error: unknown) => this.lose(session, reasonOf(error)),
      );
    }, CHECK_EVERY);
  }

  private drop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const session = this.session;
    this.session = null;
    if (session) {
      session.close();
      this.lostListeners.forEach((listener) => listener());
    }
  }

  private scheduleRelogin(reason: string): void {
    this.failures++;
    const delay = backoffDelay(this.failures, this.backoff);
    this.setConnection({ kind: 'reconnecting', retryAt: Date.now() + delay, reason });
    this.timer = setTimeout(() => void this.relogin(), delay);
  }

  private async relogin(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const attempt = ++this.attempt;
    try {
      const session = await this.login(this.key ?? '');
      if (attempt === this.attempt) {
        this.adopt(session);
      } else {
        session.close();
      }
    } catch (error) {
      if (attempt !== this.attempt) {
        return;
      }
      this.refusals = error instanceof WrongKeyError ? this.refusals + 1 : 0;
      if (this.refusals >= REFUSALS_BEFORE_SIGN_OUT) {
        this.signOut('The server no longer accepts the key. Sign in again.');
      } else {
        this.scheduleRelogin(reasonOf(error));
      }
    }
  }

  private setConnection(connection: Connection): void {
    this.connection = connection;
    this.listeners.forEach((listener) => listener(connection));
  }
}

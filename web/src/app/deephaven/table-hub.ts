import { addRow, type RowValues } from './add-row';
import { DEFAULT_BACKOFF, type BackoffOptions } from './backoff';
import { NotConnectedError } from './errors';
import type { Listener } from './feed';
import { GenerationGate } from './generation-gate';
import { queryKey, sameWindow, type RowWindow, type TableQuery } from './query';
import type { Session } from './remote';
import { ALL_TABLES, HANDLES, ReplacedTables } from './replaced-tables';
import { SessionKeeper, type Connection } from './session-keeper';
import { Viewport } from './viewport';

/** One watcher's hold on a viewport. */
export interface Subscription {
  /** Asks for other rows of the same query. */
  moveTo(window: RowWindow): void;
  /** Lets go; the last one to do so closes the viewport. */
  unsubscribe(): void;
}

/**
 * Owns every Deephaven handle of the page.
 *
 * There is one viewport per table, sort, filter and columns; it is counted by its subscribers and
 * closed by the last. All of them share one session, which is logged in again when it is lost.
 * Viewports of the same flow share a gate, so that they change generation together.
 */
export class TableHub {
  private readonly sessions: SessionKeeper;
  private readonly viewports = new Map<string, Viewport>();
  /** By the name of the flow. */
  private readonly gates = new Map<string, GenerationGate>();

  constructor(
    login: (key: string) => Promise<Session>,
    private readonly backoff: BackoffOptions = DEFAULT_BACKOFF,
  ) {
    this.sessions = new SessionKeeper(login, backoff);
  }

  /** How many viewports are open. */
  get openViewports(): number {
    return this.viewports.size;
  }

  /** Logs in; throws `WrongKeyError` or `UnreachableError`. */
  signIn(key: string): Promise<void> {
    return this.sessions.signIn(key);
  }

  /** Forgets the key and ends the session. */
  signOut(): void {
    this.sessions.signOut();
  }

  /** Reconnects now instead of after the backoff. */
  retryNow(): void {
    this.sessions.retryNow();
  }

  /** Calls back now and whenever the connection changes; returns unsubscribe. */
  onConnection(listener: (connection: Connection) => void): () => void {
    return this.sessions.onConnection(listener);
  }

  /**
   * Adds a row to an input table, now or not at all: without a session it throws
   * `NotConnectedError`, and nothing is kept to be sent later.
   */
  async addRow(table: string, values: RowValues): Promise<void> {
    const session = this.sessions.open;
    if (!session) {
      throw new NotConnectedError();
    }
    await addRow(session, table, values);
  }

  /** Watches rows of a query until unsubscribed. */
  subscribe(query: TableQuery, window: RowWindow, listener: Listener): Subscription {
    const key = queryKey(query);
    let viewport = this.viewports.get(key);
    if (!viewport) {
      viewport = new Viewport(query, this.sessions, this.gateOf(query), this.backoff);
      this.viewports.set(key, viewport);
    }
    const shared = viewport;
    const member = { window, listener };
    let open = true;
    shared.add(member);
    return {
      moveTo: (next) => {
        if (open && !sameWindow(member.window, next)) {
          member.window = next;
          shared.askForRows();
        }
      },
      unsubscribe: () => {
        if (!open) {
          return;
        }
        open = false;
        shared.remove(member);
        if (shared.unwatched) {
          this.viewports.delete(key);
          shared.close();
        }
      },
    };
  }

  /** Attaches again to every table that is published again under its name, from now on. */
  followCatalogue(): Subscription {
    const replaced = new ReplacedTables((table) =>
      this.viewports.forEach((viewport) => viewport.replaced(table)),
    );
    return this.subscribe(HANDLES, ALL_TABLES, replaced);
  }

  /** The gate of the query's flow; a query of no flow has one for itself, which holds nothing. */
  private gateOf({ together }: TableQuery): GenerationGate {
    if (together === undefined) {
      return new GenerationGate();
    }
    const gate = this.gates.get(together) ?? new GenerationGate();
    this.gates.set(together, gate);
    return gate;
  }
}

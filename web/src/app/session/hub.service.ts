import { computed, Injectable, signal } from '@angular/core';
import { connect, prepare } from '../deephaven/connect';
import { UNKNOWN_SETTINGS, type PageSettings } from '../deephaven/page-settings';
import type { Connection } from '../deephaven/session-keeper';
import { TableHub } from '../deephaven/table-hub';

/** Where the key is kept for this tab, if the viewer wants that. */
const REMEMBERED = 'tidegrid.key';

/** The hub for components, and the connection as a signal. */
@Injectable({ providedIn: 'root' })
export class HubService {
  private readonly told = signal<PageSettings>(UNKNOWN_SETTINGS);
  /** What the server lets the page do; read again with every log-in. */
  readonly settings = this.told.asReadonly();
  /** Owns every Deephaven handle. */
  readonly tables = new TableHub((key) =>
    connect(location.origin, key, (settings) => this.told.set(settings)),
  );
  private readonly state = signal<Connection>({ kind: 'signed-out', reason: null });
  /** Where the connection stands. */
  readonly connection = this.state.asReadonly();
  /** Whether there is a session, or was one that is being restored. */
  readonly signedIn = computed(() => {
    const { kind } = this.connection();
    return kind === 'connected' || kind === 'reconnecting';
  });

  constructor() {
    this.tables.onConnection((connection) => {
      this.state.set(connection);
      if (connection.kind === 'signed-out' && connection.reason !== null) {
        // The server no longer takes it.
        sessionStorage.removeItem(REMEMBERED);
      }
    });
    this.tables.followCatalogue();
    // A network that comes back is worth an attempt at once.
    addEventListener('online', () => this.tables.retryNow());
  }

  /** The key remembered for this tab. */
  get rememberedKey(): string | null {
    return sessionStorage.getItem(REMEMBERED);
  }

  /** Loads what a log-in needs of the server, while the viewer types the key. */
  prepare(): void {
    prepare(location.origin);
  }

  /** Logs in; throws `WrongKeyError` or `UnreachableError`. */
  async signIn(key: string, remember: boolean): Promise<void> {
    // One that is refused, or that the viewer no longer wants kept, is not tried again.
    sessionStorage.removeItem(REMEMBERED);
    await this.tables.signIn(key);
    if (remember) {
      sessionStorage.setItem(REMEMBERED, key);
    }
  }

  /** Forgets the key, here and in this tab's storage. */
  signOut(): void {
    sessionStorage.removeItem(REMEMBERED);
    this.tables.signOut();
  }
}

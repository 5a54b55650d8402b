import { backoffDelay, DEFAULT_BACKOFF, type BackoffOptions } from './backoff';
import { closeQuietly } from './close-quietly';
import { decodeRows, describe, type ColumnInfo } from './decode';
import { reasonOf, TimedOutError } from './errors';
import type { FeedState, Member, Snapshot } from './feed';
import { hull, sameWindow, type RowWindow, type TableQuery } from './query';
import type { RemoteColumn, RemoteTable, RemoteViewport, Session } from './remote';
import { remoteColumns, remoteFilter, remoteSort } from './remote-query';
import type { SessionKeeper } from './session-keeper';
import { withTimeout } from './with-timeout';

/** How often the server may send changes of a viewport, in milliseconds; its own default is 1000. */
export const UPDATE_INTERVAL = 50;
/** How long an attach may take; the JS API gives up on a missing table after 10 s. */
export const ATTACH_TIMEOUT = 15_000;
/** How long the rows of a new window may take. */
export const ANSWER_TIMEOUT = 10_000;

/** What is bound to one table handle. */
interface Attachment {
  readonly table: RemoteTable;
  readonly columns: RemoteColumn[];
  readonly infos: ColumnInfo[];
  readonly unlisten: (() => void)[];
}

/**
 * One table handle and its viewport, shared by all who watch the same query.
 *
 * At most one attach and one window are under way; windows asked for meanwhile wait, and only the
 * newest is sent. The viewport covers the windows of all members.
 */
export class Viewport {
  private readonly members = new Set<Member>();
  private attachment: Attachment | null = null;
  /** Counts attaches, so that what an older one brings is dropped. */
  private attachId = 0;
  private inFlight: RowWindow | null = null;
  private sent: RowWindow | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private latest: Snapshot | null = null;
  private currentState: FeedState = { kind: 'loading' };
  private readonly unlistenSession: () => void;

  constructor(
    private readonly query: TableQuery,
    private readonly sessions: SessionKeeper,
    private readonly backoff: BackoffOptions = DEFAULT_BACKOFF,
  ) {
    this.unlistenSession = sessions.onLost(() => {
      this.detach(false);
      this.setState({ kind: this.latest ? 'reconnecting' : 'loading' });
      void this.attach();
    });
    void this.attach();
  }

  /** Whether nobody watches any more. */
  get unwatched(): boolean {
    return this.members.size === 0;
  }

  /** Adds one who watches, and tells them what is known already. */
  add(member: Member): void {
    this.members.add(member);
    member.listener.state(this.currentState);
    if (this.latest) {
      member.listener.snapshot(this.latest);
    }
    this.askForRows();
  }

  /** Removes one who watched. */
  remove(member: Member): void {
    this.members.delete(member);
    if (!this.unwatched) {
      this.askForRows();
    }
  }

  /** Sends the newest wanted window, unless one is under way. */
  askForRows(): void {
    if (!this.attachment || this.inFlight || this.unwatched) {
      return;
    }
    const wanted = hull([...this.members].map((member) => member.window));
    if (sameWindow(wanted, this.sent)) {
      return;
    }
    this.inFlight = this.sent = wanted;
    this.timer = setTimeout(
      () => this.fail(new TimedOutError(`Table ${this.query.table} does not answer.`)),
      ANSWER_TIMEOUT,
    );
    const { table, columns } = this.attachment;
    table.setViewport(wanted.first, wanted.last, columns, UPDATE_INTERVAL);
  }

  /** Lets go of the handle for good. */
  close(): void {
    this.unlistenSession();
    this.detach();
  }

  private async attach(): Promise<void> {
    const id = ++this.attachId;
    try {
      const session = await this.sessions.current();
      if (id !== this.attachId) {
        return;
      }
      const table = await withTimeout(
        session.openTable(this.query.table),
        ATTACH_TIMEOUT,
        `Table ${this.query.table}`,
        closeQuietly,
      );
      if (id !== this.attachId) {
        closeQuietly(table);
        return;
      }
      this.bind(session, table);
    } catch (error) {
      if (id === this.attachId) {
        this.fail(error);
      }
    }
  }

  private bind(session: Session, table: RemoteTable): void {
    const { Table } = session.api;
    const { sort, filters, table: name } = this.query;
    const failed = () => this.fail(new Error(`Table ${name} was closed by the server.`));
    // The handle is ours from here on, so that a failure below closes it.
    const unlisten = [
      table.addEventListener(Table.EVENT_UPDATED, (event) =>
        this.receive(event.detail as RemoteViewport),
      ),
      table.addEventListener(Table.EVENT_SIZECHANGED, () => this.resize()),
      table.addEventListener(Table.EVENT_DISCONNECT, failed),
      table.addEventListener(Table.EVENT_RECONNECTFAILED, failed),
      table.addEventListener(Table.EVENT_REQUEST_FAILED, failed),
    ];
    this.attachment = { table, columns: [], infos: [], unlisten };
    const columns = remoteColumns(table, this.query);
    this.attachment = { table, columns, infos: describe(columns), unlisten };
    if (sort.length > 0) {
      table.applySort(sort.map((order) => remoteSort(table, name, order)));
    }
    if (filters.length > 0) {
      table.applyFilter(filters.map((filter) => remoteFilter(session.api, table, name, filter)));
    }
    this.askForRows();
  }

  private receive(data: RemoteViewport): void {
    if (!this.attachment || (this.inFlight && data.offset !== this.inFlight.first)) {
      return; // Rows of a window that a newer one has replaced.
    }
    if (this.inFlight) {
      this.inFlight = null;
      clearTimeout(this.timer);
    }
    this.failures = 0;
    const { table, columns, infos } = this.attachment;
    const rows = decodeRows(data.rows, columns, infos);
    this.publish({ columns: infos, first: data.offset, rows, total: table.size });
    this.setState({ kind: 'live' });
    this.askForRows();
  }

  private resize(): void {
    if (this.attachment && this.latest && this.currentState.kind === 'live') {
      this.publish({ ...this.latest, total: this.attachment.table.size });
    }
  }

  private publish(snapshot: Snapshot): void {
    this.latest = snapshot;
    this.members.forEach((member) => member.listener.snapshot(snapshot));
  }

  private fail(error: unknown): void {
    this.detach();
    this.failures++;
    const delay = backoffDelay(this.failures, this.backoff);
    this.setState({ kind: 'failed', reason: reasonOf(error), retryAt: Date.now() + delay });
    this.timer = setTimeout(() => void this.attach(), delay);
  }

  /** Lets go of the handle; one of a lost session is gone already and cannot be closed. */
  private detach(close = true): void {
    clearTimeout(this.timer);
    this.attachId++;
    this.inFlight = this.sent = null;
    const attachment = this.attachment;
    this.attachment = null;
    if (attachment) {
      attachment.unlisten.forEach((unlisten) => unlisten());
      if (close) {
        closeQuietly(attachment.table);
      }
    }
  }

  private setState(state: FeedState): void {
    if (state.kind === this.currentState.kind && state.kind !== 'failed') {
      return;
    }
    this.currentState = state;
    this.members.forEach((member) => member.listener.state(state));
  }
}

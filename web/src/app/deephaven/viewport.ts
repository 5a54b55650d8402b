import { backoffDelay, DEFAULT_BACKOFF, type BackoffOptions } from './backoff';
import { closeQuietly } from './close-quietly';
import { decodeCell, decodeRows, describe, type Cell, type ColumnInfo } from './decode';
import { reasonOf, TimedOutError } from './errors';
import type { FeedState, Member, Snapshot } from './feed';
import type { GenerationGate, Publish } from './generation-gate';
import { fallsShort, hull, sameWindow, within, type RowWindow, type TableQuery } from './query';
import type { RemoteColumn, RemoteTable, RemoteViewport, Session } from './remote';
import { applyFilters } from './remote-filter';
import {
  distinctTable,
  generationColumn,
  hasColumn,
  remoteColumns,
  remoteSort,
} from './remote-query';
import type { SessionKeeper } from './session-keeper';
import { withTimeout } from './with-timeout';

/**
 * How often the server may send changes of a grid, in milliseconds; its own default is 1000.
 * What sets the pace is the server's update cycle, and this must be well below it: the server counts
 * from the last message, so that with an interval as long as the cycle one late message would make
 * all those after it as late.
 */
export const UPDATE_INTERVAL = 10;
/** How long an attach may take; the JS API gives up on a missing table after 10 s. */
export const ATTACH_TIMEOUT = 15_000;
/** How long the rows of a new window may take. */
export const ANSWER_TIMEOUT = 10_000;

/** What is bound to one table handle. */
interface Attachment {
  readonly table: RemoteTable;
  readonly columns: RemoteColumn[];
  readonly infos: ColumnInfo[];
  readonly generation: RemoteColumn | null;
  readonly unlisten: (() => void)[];
}

/**
 * One table handle and its viewport, shared by all who watch the same query.
 *
 * At most one attach and one window are under way; windows asked for meanwhile wait, and only the
 * newest is sent. The viewport covers the windows of all members; for one that lies behind the end
 * of the table it brings the last rows, so that members never get an empty snapshot of a table that
 * has rows. What it receives goes through a gate, which may hold it for the other viewports of the
 * same flow.
 */
export class Viewport {
  private readonly members = new Set<Member>();
  private attachment: Attachment | null = null;
  /** Counts attaches, so that what an older one brings is dropped. */
  private attachId = 0;
  private inFlight: RowWindow | null = null;
  private sent: RowWindow | null = null;
  /** Whether it was sent in place of one that lay behind the end. */
  private detour = false;
  /** The size of the table when it was last heard of; no window lies behind an unknown end. */
  private end = Infinity;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  /** How many windows were never answered. */
  private unanswered = 0;
  /** Whether there is a new size whose rows have not come. */
  private resized = false;
  /** The rows that the members have. */
  private latest: Snapshot | null = null;
  private currentState: FeedState = { kind: 'loading' };
  private readonly unlistenSession: () => void;

  constructor(
    private readonly query: TableQuery,
    private readonly sessions: SessionKeeper,
    private readonly gate: GenerationGate,
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
    const wanted = this.wanted();
    if (sameWindow(wanted, this.sent)) {
      return;
    }
    this.inFlight = this.sent = wanted;
    this.detour = this.anyBehind();
    this.timer = setTimeout(() => {
      this.unanswered++;
      this.fail(new TimedOutError(`Table ${this.query.table} does not answer.`));
    }, ANSWER_TIMEOUT);
    const { table, columns, generation } = this.attachment;
    const asked = generation ? [...columns, generation] : columns;
    // All who ask for a table with the same interval share one producer on the server. If that one
    // hangs, another interval is answered by another.
    const interval = (this.query.interval ?? UPDATE_INTERVAL) + (this.unanswered % 5);
    table.setViewport(wanted.first, wanted.last, asked, interval);
  }

  /** Attaches again if it is of that table; the members keep their rows until the new ones come. */
  replaced(table: Cell): void {
    if (table === this.query.table) {
      this.detach();
      void this.attach();
    }
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
        this.open(session),
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

  /** The table of the query, or the one of the different values of its column. */
  private async open(session: Session): Promise<RemoteTable> {
    const table = await session.openTable(this.query.table);
    try {
      const distinct = await distinctTable(session.api, table, this.query);
      if (!distinct) {
        return table;
      }
      closeQuietly(table);
      return distinct;
    } catch (error) {
      closeQuietly(table);
      throw error;
    }
  }

  private bind(session: Session, table: RemoteTable): void {
    const { Table } = session.api;
    const { table: name } = this.query;
    // A table that was published again may not have all columns it had.
    const sort = this.query.sort.filter(({ column }) => hasColumn(table, column));
    const failed = () => this.fail(new Error(`Table ${name} was closed by the server.`));
    // The handle is ours from here on, so that a failure below closes it.
    const unlisten = [
      table.addEventListener(Table.EVENT_UPDATED, (event) =>
        this.receive(event.detail as RemoteViewport),
      ),
      table.addEventListener(Table.EVENT_SIZECHANGED, () => this.resize()),
      table.addEventListener(Table.EVENT_DISCONNECT, failed),
      table.addEventListener(Table.EVENT_RECONNECTFAILED, failed),
    ];
    // Heard for good: the stream of a lost session may end later, and unheard the JS API writes that
    // to the console.
    table.addEventListener(Table.EVENT_REQUEST_FAILED, () => {
      if (this.attachment?.table === table) {
        failed();
      }
    });
    this.attachment = { table, columns: [], infos: [], generation: null, unlisten };
    const columns = remoteColumns(table, this.query);
    const generation = generationColumn(table, this.query);
    this.attachment = { table, columns, infos: describe(columns), generation, unlisten };
    if (sort.length > 0) {
      table.applySort(sort.map((order) => remoteSort(table, name, order)));
    }
    // Different values are already those of the rows that pass.
    if (this.query.distinct === undefined) {
      applyFilters(session.api, table, this.query.filters);
    }
    this.askForRows();
  }

  private receive(data: RemoteViewport): void {
    this.resized = false;
    if (!this.attachment || data.offset !== this.sent?.first) {
      return; // Rows of a window that a newer one has replaced.
    }
    if (this.inFlight) {
      this.inFlight = null;
      clearTimeout(this.timer);
    }
    this.failures = 0;
    const { table, columns, infos, generation } = this.attachment;
    const total = (this.end = table.size);
    if (this.isOfUse()) {
      const rows = decodeRows(data.rows, columns, infos);
      const snapshot = { columns: infos, first: data.offset, rows, total };
      const made = generation && decodeCell(data.rows[0]?.get(generation), 'integer');
      this.gate.pass(this.publish, generation ? { ...snapshot, generation: made } : snapshot, made);
      this.setState({ kind: 'live' });
    } else {
      this.gate.retract(this.publish);
    }
    this.askForRows();
  }

  /**
   * Whether the members can show rows of the window sent. They cannot if the table has become so
   * short that they would see blanks, nor if it was and now reaches to where they are again. Then
   * they keep what they have, and another window is wanted.
   */
  private isOfUse(): boolean {
    const { sent, end } = this;
    const wanted = this.wanted();
    if (!sent || end === 0 || sameWindow(wanted, sent)) {
      return true;
    }
    // Behind a table that grows fast any rows will do, since its end may never be caught up with.
    return !fallsShort({ ...sent, page: wanted.page }, end) && (!this.detour || this.anyBehind());
  }

  /** The rows that the members want, as far as there are any. */
  private wanted(): RowWindow {
    return hull([...this.members].map(({ window }) => within(window, this.end)));
  }

  /** Whether the table ends before the rows of some member. */
  private anyBehind(): boolean {
    return [...this.members].some(({ window }) => fallsShort(window, this.end));
  }

  /**
   * Tells a new size, unless the rows that go with it are there: the JS API fires the event of the
   * size first, so with a flip the old rows would get the new total. Nor while rows are on their
   * way, which bring their total along.
   */
  private resize(): void {
    this.resized = true;
    queueMicrotask(() => {
      if (!this.resized) {
        return;
      }
      this.resized = false;
      if (!this.attachment || this.inFlight || !this.latest || this.currentState.kind !== 'live') {
        return;
      }
      const total = (this.end = this.attachment.table.size);
      if (!this.isOfUse()) {
        this.gate.retract(this.publish);
      } else if (!this.gate.resize(this.publish, total)) {
        this.publish({ ...this.latest, total });
      }
      this.askForRows();
    });
  }

  private readonly publish: Publish = (snapshot: Snapshot) => {
    this.latest = snapshot;
    this.members.forEach((member) => member.listener.snapshot(snapshot));
  };

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
    this.end = Infinity;
    if (close) {
      this.gate.leave(this.publish);
    } else {
      this.gate.clear();
    }
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

import { UnreachableError, WrongKeyError } from '../errors';
import type { RemoteTable, Session } from '../remote';
import { MEMORY_API, MemoryTable, type MemoryRow } from './memory-table';

/**
 * A server in memory that behaves like Deephaven as seen through the JS API: log-in, tables by name,
 * viewports that answer later, and failures on demand.
 */
export class MemoryServer {
  /** Rows and column types of the tables by name; `touch` tells the open handles. */
  readonly tables = new Map<string, { types: Record<string, string>; rows: MemoryRow[] }>();
  /** The tables that take rows. */
  readonly inputs = new Set<string>();
  readonly handles: MemoryTable[] = [];
  /** Whether anything answers at all. */
  up = true;
  /** The key that is accepted. */
  key = 'secret';
  logins = 0;
  opens = 0;
  opening = 0;
  mostOpening = 0;
  /** Milliseconds from a request to its answer. */
  delay = 5;
  /** When set, asking for a table neither fails nor answers. */
  silent = false;
  /** When set, the server holds its connections and answers nothing. */
  frozen = false;
  /** When set, viewports are never answered. */
  mute = false;
  /** When set, rows are refused with this text. */
  refusal: string | null = null;
  private sessions: (() => void)[] = [];

  /** Defines a table. */
  table(name: string, types: Record<string, string>, rows: MemoryRow[]): void {
    this.tables.set(name, { types, rows });
  }

  /** Sends the current rows of a table to every open viewport of it. */
  touch(name: string): void {
    this.open(name).forEach((handle) => handle.tick());
  }

  /** The handles of a table that are not closed. */
  open(name?: string): MemoryTable[] {
    return this.handles.filter(
      (handle) => !handle.closed && (name === undefined || handle.name === name),
    );
  }

  /** Dies as with kill -9: every session is gone and nothing answers. */
  crash(): void {
    this.up = false;
    const sessions = this.sessions;
    this.sessions = [];
    this.handles.forEach((handle) => (handle.closed = true));
    sessions.forEach((lost) => lost());
  }

  /** Opens a handle of a table's rows, or of rows made of them. */
  handle(name: string, types: Record<string, string>, rows: () => MemoryRow[]): MemoryTable {
    const handle = new MemoryTable(this, name, types, rows);
    this.handles.push(handle);
    return handle;
  }

  /** Takes as long as an answer takes; for ever when the server is frozen. */
  answerTime(): Promise<void> {
    return this.frozen ? new Promise<never>(() => undefined) : this.wait();
  }

  /** The log-in that a hub is given. */
  readonly login = async (key: string): Promise<Session> => {
    this.logins++;
    await this.wait();
    if (!this.up) {
      throw new UnreachableError('memory');
    }
    if (key !== this.key) {
      throw new WrongKeyError();
    }
    const listeners = new Set<() => void>();
    this.sessions.push(() => listeners.forEach((listener) => listener()));
    return {
      api: MEMORY_API,
      openTable: (name) => this.openTable(name),
      check: () => this.answerTime(),
      onLost: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      close: () => listeners.clear(),
    };
  };

  private async openTable(name: string): Promise<RemoteTable> {
    this.opens++;
    this.mostOpening = Math.max(this.mostOpening, ++this.opening);
    try {
      await (this.silent ? new Promise<never>(() => undefined) : this.wait());
      const source = this.tables.get(name);
      if (!source) {
        throw 'Timeout after 10000ms';
      }
      return this.handle(name, source.types, () => source.rows);
    } finally {
      this.opening--;
    }
  }

  private wait(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.delay));
  }
}

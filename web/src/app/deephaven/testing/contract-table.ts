import { decodeRows, describe, type Row } from '../decode';
import type {
  RemoteColumn,
  RemoteFilter,
  RemoteFilterValue,
  RemoteTable,
  RemoteViewport,
  Session,
} from '../remote';

/** A row of the table that the contract is about. */
export interface ContractRow {
  readonly userId: string;
  readonly name: string | null;
  readonly age: number | null;
}

/** The rows that the table has, beside any others. */
export const CONTRACT_ROWS: readonly ContractRow[] = Array.from({ length: 12 }, (_, n) => ({
  userId: `contract-${String(n).padStart(2, '0')}`,
  name: n % 4 === 0 ? null : `Name ${n % 3}`,
  age: n % 5 === 0 ? null : 20 + n,
}));

/** Milliseconds that an answer may take. */
const ANSWER = 10_000;

/** A handle of the contract's table, which shows no rows but those of the contract. */
export class ContractTable {
  private closed = false;

  constructor(
    readonly session: Session,
    readonly handle: RemoteTable,
  ) {
    handle.applyFilter([this.ofContract()]);
  }

  /** A column; throws if the table has none of that name. */
  column(name: string): RemoteColumn {
    const found = this.handle.columns.find((column) => column.name === name);
    if (!found) {
      throw new Error(`there is no column ${name}`);
    }
    return found;
  }

  /** A column in a filter. */
  value(name: string): RemoteFilterValue {
    return this.column(name).filter();
  }

  /** A text in a filter. */
  text(text: string): RemoteFilterValue {
    return this.session.api.FilterValue.ofString(text);
  }

  /** A number in a filter. */
  number(number: number): RemoteFilterValue {
    return this.session.api.FilterValue.ofNumber(number);
  }

  /** Asks for a window and returns the rows that the server sends for it. */
  ask(first: number, last: number, names = ['userId', 'name', 'age']): Promise<RemoteViewport> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no answer')), ANSWER);
      const { EVENT_UPDATED } = this.session.api.Table;
      const unlisten = this.handle.addEventListener(EVENT_UPDATED, ({ detail }) => {
        const sent = detail as RemoteViewport;
        if (sent.offset === first) {
          clearTimeout(timer);
          unlisten();
          resolve(sent);
        }
      });
      const columns = names.map((name) => this.column(name));
      this.handle.setViewport(first, last, columns, 10);
    });
  }

  /** The cells of all rows in some columns. */
  async cells(...names: string[]): Promise<readonly Row[]> {
    const columns = names.map((name) => this.column(name));
    const { rows } = await this.ask(0, 99, names);
    return decodeRows(rows, columns, describe(columns));
  }

  /** The ids of the rows that pass a filter, in order. */
  async passing(filter: RemoteFilter): Promise<readonly string[]> {
    this.handle.applyFilter([this.ofContract(), filter]);
    const cells = await this.cells('userId');
    return cells.map(([id]) => String(id)).sort();
  }

  /** Closes the handle, once: the JS API complains about a second time. */
  close(): void {
    if (!this.closed) {
      this.closed = true;
      this.handle.close();
    }
  }

  private ofContract(): RemoteFilter {
    return this.value('userId').containsIgnoreCase(this.text('contract-'));
  }
}

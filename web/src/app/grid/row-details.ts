import type { Cell, ColumnInfo, Row } from '../deephaven/decode';
import type { FeedState, Snapshot } from '../deephaven/feed';
import type { Subscription, TableHub } from '../deephaven/table-hub';
import type { DetailsTarget } from './details-target';
import { formatCell, titleOf, type Format } from '../format/cell-text';
import { originOf, type RecordOrigin } from './record-place';
import { TIME_COLUMN, type ColumnSpec, type TableSpec } from './table-spec';

/** Where the record of a row stands in Kafka, as far as the table says. */
const RECORD_COLUMNS: readonly string[] = ['topic', 'partition', 'offset', TIME_COLUMN];

/** One column of a row. */
export interface DetailField {
  readonly name: string;
  readonly label: string;
  readonly text: string;
  readonly title: string;
  readonly empty: boolean;
}

/** What is shown of a row. */
export interface DetailsView {
  /** What the row is called: its key, or its place. */
  readonly name: string;
  readonly fields: readonly DetailField[];
  /** Topic, partition, offset and time of its record. */
  readonly record: readonly DetailField[];
  /** Which record that is, to fetch it; null if the row does not say. */
  readonly origin: RecordOrigin | null;
  /** A sentence when there is no such row, or not yet; empty otherwise. */
  readonly message: string;
  /** Whether the values are the last ones seen of a row that is gone. */
  readonly gone: boolean;
}

/** A row with all its columns, followed as it changes. */
export class RowDetails {
  private readonly subscription: Subscription;
  private columns: readonly ColumnInfo[] = [];
  private cells: Row | null = null;
  private generation: Cell = null;
  private gone = false;
  private state: FeedState = { kind: 'loading' };

  constructor(
    private readonly spec: TableSpec,
    private readonly target: DetailsTarget,
    hub: Pick<TableHub, 'subscribe'>,
    private readonly changed: (view: DetailsView) => void,
  ) {
    const { query, row } = target;
    this.subscription = hub.subscribe(
      query,
      { first: row, last: row },
      {
        snapshot: (snapshot) => this.take(snapshot),
        state: (state) => {
          this.state = state;
          this.changed(this.view());
        },
      },
    );
  }

  /** The row as JSON: all columns, times as ISO texts. */
  json(): string {
    const entries = this.columns.map(({ name, kind }, index) => {
      const cell = this.cells?.[index] ?? null;
      return [name, plain(cell, kind === 'time')];
    });
    return JSON.stringify(Object.fromEntries(entries), null, 2);
  }

  /** Lets go of the row. */
  close(): void {
    this.subscription.unsubscribe();
  }

  private take({ columns, first, rows, generation = null }: Snapshot): void {
    const cells = rows[this.target.row - first];
    this.gone = cells === undefined;
    if (cells) {
      this.columns = columns;
      this.cells = cells;
      this.generation = generation;
    }
    this.changed(this.view());
  }

  private view(): DetailsView {
    const fields = this.columns.map((info, index) => this.field(info, this.cells?.[index] ?? null));
    const places = new Map((this.spec.columns ?? []).map(({ name }, place) => [name, place]));
    const placeOf = ({ name }: DetailField) => places.get(name) ?? places.size;
    return {
      name: this.target.name,
      fields: fields
        .filter(({ name }) => !RECORD_COLUMNS.includes(name))
        .sort((a, b) => placeOf(a) - placeOf(b)),
      record: RECORD_COLUMNS.flatMap((name) => fields.filter((field) => field.name === name)),
      origin: this.cells && originOf(this.columns, this.cells, this.generation),
      message: this.message(),
      gone: this.gone,
    };
  }

  private message(): string {
    if (this.state.kind === 'failed') {
      return `${this.state.reason} Trying again.`;
    }
    if (this.state.kind === 'reconnecting') {
      return 'Connection lost. These are the last values seen.';
    }
    if (this.gone) {
      return this.cells
        ? 'This row is no longer in the table. These are the last values seen.'
        : 'This row is no longer in the table.';
    }
    return this.cells ? '' : 'Loading…';
  }

  private field({ name, kind }: ColumnInfo, cell: Cell): DetailField {
    const spec: ColumnSpec | undefined = this.spec.columns?.find((column) => column.name === name);
    const format: Format = spec?.format ?? kind;
    return {
      name,
      label: spec?.label ?? name,
      // Here is room for the date and for all digits.
      text: kind === 'time' ? titleOf(cell, 'time') || '–' : formatCell(cell, format),
      title: titleOf(cell, format),
      empty: cell === null,
    };
  }
}

function plain(cell: Cell, time: boolean): unknown {
  if (cell !== null && time) {
    return new Date(cell as number).toISOString();
  }
  return typeof cell === 'bigint' ? String(cell) : cell;
}

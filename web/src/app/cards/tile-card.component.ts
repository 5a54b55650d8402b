import {
  ChangeDetectionStrategy,
  Component,
  computed,
  DestroyRef,
  effect,
  inject,
  input,
  signal,
  untracked,
} from '@angular/core';
import type { TileCard } from '../catalogue/cards';
import { ALL } from '../catalogue/tables';
import { noteOf } from '../live-rows/live-rows';
import { cardQuery, numberOf, sortBy, summedFilters } from './page-query';
import { PageScope } from './page-scope.service';
import { MOST_SAMPLES, SAMPLE_EVERY } from './samples';
import { SPARK } from './sparkline';
import { tileColumns, tileOf, trendValue } from './tile';
import { TileHistory } from './tile-history';
import { trendLine } from './trend';

/** More choices of a page than there are. */
const MOST_ROWS = 200;

/** One figure with its detail and its trend. */
@Component({
  selector: 'tg-tile-card',
  template: `
    @let tile = drawn();
    <section
      [class.stale]="stale()"
      [attr.data-testid]="'tile-' + card().name"
      [attr.aria-label]="card().title"
    >
      <h2 [title]="card().hint">{{ card().title }}</h2>
      <p class="value" [attr.data-sign]="tile.sign">
        <span data-testid="tile-value">{{ tile.value }}</span>
        @if (tile.unit) {
          <small>{{ tile.unit }}</small>
        }
      </p>
      <p class="detail">{{ tile.detail }}</p>
      <svg
        role="img"
        preserveAspectRatio="none"
        [attr.viewBox]="box"
        [attr.data-sign]="tile.sign"
        [attr.aria-label]="tile.trend"
      >
        <path [attr.d]="tile.path" />
      </svg>
    </section>
  `,
  styleUrl: './tile-card.component.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class TileCardComponent {
  private readonly scope = inject(PageScope);
  private readonly history = new TileHistory();
  private readonly sampled = signal(0);

  /** What to show. */
  readonly card = input.required<TileCard>();

  protected readonly box = `0 0 ${SPARK.width} ${SPARK.height}`;
  private readonly table = computed(() => this.card().tables[0] ?? '');
  private readonly info = computed(() => this.scope.info(this.table()));
  /** The column that tells the choices of the page apart, where the table has a row for each. */
  private readonly column = computed(() => {
    const { column } = this.scope.choice();
    const { rollup = '', key = [] } = this.info() ?? {};
    return rollup === column || key.join() === column ? column : '';
  });
  /** The table's own clock, where it has one. */
  private readonly clock = computed(
    () =>
      this.info()?.columns.find(({ type, name }) => type === 'time' && name !== 'ts')?.name ?? '',
  );
  /** The figures of every choice, so that the trend of each goes on. */
  private readonly rows = this.scope.rows(() => {
    const filters = this.column() === '' ? summedFilters(this.info(), this.scope.choice()) : [];
    const columns = [this.column(), this.clock(), ...tileColumns(this.card())];
    const sort = sortBy(this.column(), 'asc');
    return cardQuery(this.table(), this.info(), MOST_ROWS, { sort, filters, columns });
  });
  private readonly trend = this.scope.rows(() => {
    const { trend, value } = this.card();
    if (trend === '') {
      return null;
    }
    const info = this.scope.info(trend);
    const filters = summedFilters(info, this.scope.choice());
    // The newest first: an old row must not push it out.
    const sort = sortBy('bucket', 'desc');
    return cardQuery(trend, info, MOST_SAMPLES, { sort, filters, columns: ['bucket', value] });
  });
  private readonly row = computed(() => this.rowOf(this.scope.choice().value));
  private readonly points = computed(() => {
    const { trend, value } = this.card();
    if (trend === '') {
      this.sampled();
      return this.history.of(this.column() === '' ? '' : this.scope.choice().value);
    }
    const points = this.trend().rows.map((row) => ({
      at: numberOf(row['bucket']) ?? 0,
      value: numberOf(row[value]) ?? 0,
    }));
    const clock = this.rowOf(ALL)?.[this.clock()];
    return trendLine(points, numberOf(clock));
  });
  protected readonly drawn = computed(() => {
    const missing = noteOf(this.rows(), this.card().empty || 'No rows yet') ?? 'No rows now';
    return tileOf(this.card(), this.info(), this.row(), this.points(), missing);
  });
  protected readonly stale = computed(() => {
    const { kind } = this.rows().state;
    return kind === 'failed' || kind === 'reconnecting';
  });

  constructor() {
    effect(() => {
      this.rows();
      untracked(() => this.sample());
    });
    const timer = setInterval(() => this.sample(), SAMPLE_EVERY);
    inject(DestroyRef).onDestroy(() => clearInterval(timer));
  }

  private rowOf(choice: string) {
    const { rows } = this.rows();
    const column = this.column();
    return (column === '' ? rows[0] : rows.find((row) => row[column] === choice)) ?? null;
  }

  private sample(): void {
    const { rows, state, generation } = this.rows();
    const column = this.column();
    const figures = new Map(
      rows.map((row) => [
        column === '' ? '' : String(row[column] ?? ''),
        trendValue(this.card(), row),
      ]),
    );
    if (state.kind === 'live' && this.history.add(figures, Date.now(), generation)) {
      this.sampled.update((count) => count + 1);
    }
  }
}

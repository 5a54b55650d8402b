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
import { hasColumn } from '../catalogue/tables';
import { CopyLinkButtonComponent } from '../panel/copy-link-button.component';
import { CARD } from '../session/link-parts';
import { PageLink } from '../session/page-link.service';
import { problemOf } from './card-problem';
import { numberOf } from './page-query';
import { PageScope } from './page-scope.service';
import { SAMPLE_EVERY } from './samples';
import { SPARK } from './sparkline';
import { tileOf, trendValue } from './tile';
import { TileHistory } from './tile-history';
import { missingNote, tileQuery, tileRow } from './tile-row';
import { trendLine, trendPoints, trendQuery } from './trend';

/** One figure with its detail and its trend. */
@Component({
  selector: 'tg-tile-card',
  imports: [CopyLinkButtonComponent],
  template: `
    @let tile = drawn();
    <section [attr.data-testid]="'tile-' + card().name" [attr.aria-label]="card().title">
      <h2 [title]="card().hint">{{ card().title }}</h2>
      <tg-copy-link-button (pressed)="copyLink()" />
      <p class="value" [class.stale]="stale()" [attr.data-sign]="tile.sign">
        <span data-testid="tile-value">{{ tile.value }}</span>
        @if (tile.unit) {
          <small>{{ tile.unit }}</small>
        }
      </p>
      <p class="detail" [class.problem]="problem()" [title]="problem() || tile.detail">
        {{ problem() || tile.detail }}
      </p>
      <svg
        role="img"
        [class.stale]="stale()"
        preserveAspectRatio="none"
        [attr.viewBox]="box"
        [attr.data-sign]="tile.sign"
        [attr.aria-label]="trendText()"
      >
        <path [attr.d]="tile.path" />
      </svg>
    </section>
  `,
  styleUrls: ['./tile-card.component.css', './fade.css'],
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class TileCardComponent {
  private readonly scope = inject(PageScope);
  private readonly link = inject(PageLink);
  private readonly history = new TileHistory();
  /** Goes on with time: a figure that stays the same has a trend too. */
  private readonly ticks = signal(0);
  private readonly sampled = signal(0);

  /** What to show. */
  readonly card = input.required<TileCard>();

  protected readonly box = `0 0 ${SPARK.width} ${SPARK.height}`;
  private readonly info = computed(() => this.scope.info(this.card().tables[0] ?? ''));
  private readonly trendInfo = computed(() => this.scope.info(this.card().trend));
  /** What of the page's choice the figure is about; nothing if its table knows of none. */
  private readonly about = computed(() => {
    const { column, value } = this.scope.choice();
    return hasColumn(this.info(), column) ? value : '';
  });
  /** The table's own clock, where it has one. */
  private readonly clock = computed(
    () =>
      this.info()?.columns.find(({ type, name }) => type === 'time' && name !== 'ts')?.name ?? '',
  );
  private readonly rows = this.scope.rows(() =>
    tileQuery(this.card(), this.info(), this.scope.choice(), this.clock()),
  );
  private readonly trend = this.scope.rows(() =>
    this.card().trend === ''
      ? null
      : trendQuery(this.card(), this.trendInfo(), this.scope.choice()),
  );
  private readonly row = computed(() =>
    tileRow(this.card(), this.info(), this.rows(), this.clock()),
  );
  private readonly points = computed(() => {
    if (this.card().trend === '') {
      this.sampled();
      return this.history.of(this.about());
    }
    const points = trendPoints(this.card(), this.trendInfo(), this.trend());
    return trendLine(points, numberOf(this.row()?.[this.clock()]));
  });
  protected readonly drawn = computed(() => {
    const missing = missingNote(this.card(), this.info(), this.rows(), this.scope.choice());
    return tileOf(this.card(), this.info(), this.row(), this.points(), missing);
  });
  /** Why what is shown is no longer followed; without a figure, the detail says it. */
  protected readonly problem = computed(() => (this.row() === null ? '' : problemOf(this.rows())));
  /** The trend in words, or why it is no longer followed. */
  protected readonly trendText = computed(() => problemOf(this.trend()) || this.drawn().trend);
  protected readonly stale = computed(() => {
    const { kind } = this.rows().state;
    return kind === 'failed' || kind === 'reconnecting';
  });

  constructor() {
    // After the effect that asks for rows: another choice is never sampled with the figure before.
    effect(() => {
      this.ticks();
      const { state, generation } = this.rows();
      const row = this.row();
      const value = row && trendValue(this.card(), row);
      const about = this.about();
      if (state.kind === 'live' && this.history.add(about, value, Date.now(), generation)) {
        untracked(() => this.sampled.update((count) => count + 1));
      }
    });
    const timer = setInterval(() => this.ticks.update((count) => count + 1), SAMPLE_EVERY);
    inject(DestroyRef).onDestroy(() => clearInterval(timer));
  }

  /** Copies a link that leads to this tile. */
  protected copyLink(): void {
    this.link.copy({ [CARD]: this.card().name });
  }
}

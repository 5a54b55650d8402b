import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  inject,
  input,
  linkedSignal,
  signal,
  untracked,
} from '@angular/core';
import type { LinesCard } from '../catalogue/cards';
import { lookOf } from '../catalogue/tables';
import type { Filter } from '../deephaven/query';
import { noteOf, NO_ROWS } from '../live-rows/live-rows';
import { CardComponent } from '../panel/card.component';
import { ChartComponent } from './chart/chart.component';
import type { Drawing } from './chart/drawing';
import { FIRST_LINES, LineChoice, MOST_LINES } from './line-choice';
import { LinePickerComponent } from './line-picker.component';
import { lineOf } from './line-points';
import { linesDrawing } from './lines-chart';
import { cardQuery, sortBy, summedFilters } from './page-query';
import { PageLink } from '../session/page-link.service';
import { linesPart, readNames, writeNames } from './line-names';
import { PageScope } from './page-scope.service';
import { valueText } from './value-text';

/** More times than a line has, each with rows of several groups. */
const LINE_ROWS = 1_800;
/** Rows in which the first names are looked for where a table has several of each. */
const REPEATED = 200;

/** A line over time, or small ones side by side of which the viewer chooses. */
@Component({
  selector: 'tg-lines-card',
  imports: [CardComponent, ChartComponent, LinePickerComponent],
  template: `
    <tg-card [title]="card().title" [name]="card().name">
      @if (card().by) {
        <tg-line-picker
          head
          [card]="card()"
          [names]="names()"
          (add)="add($event)"
          (remove)="remove($event)"
        />
      }
      <tg-chart
        [class.stale]="failed()"
        [attr.data-testid]="'chart-' + card().name"
        [drawing]="drawing()"
        [note]="note()"
        [turn]="turn()"
      />
    </tg-card>
  `,
  styleUrl: './chart-card.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class LinesCardComponent {
  private readonly scope = inject(PageScope);
  private readonly link = inject(PageLink);

  /** What to show. */
  readonly card = input.required<LinesCard>();

  private readonly changed = signal(0);
  /** Which lines are drawn. */
  protected readonly choice = computed(
    () =>
      new LineChoice(
        sessionStorage,
        `tidegrid.lines.${this.scope.flow()}.${this.card().name}`,
        () => this.changed.update((count) => count + 1),
      ),
  );
  /** The lines by their names; one without a name where there is only one. */
  protected readonly names = computed(() => {
    this.changed();
    return this.card().by === '' ? [''] : this.choice().names;
  });
  private readonly undecided = computed(() => {
    this.changed();
    return this.card().by !== '' && this.choice().undecided;
  });
  private readonly table = computed(() => this.card().tables[0] ?? '');
  private readonly info = computed(() => this.scope.info(this.table()));
  /** The names to begin with, for a viewer who has not chosen. */
  private readonly first = this.scope.rows(() => {
    const { pick, rank, by, x } = this.card();
    if (!this.undecided()) {
      return null;
    }
    const table = pick || this.table();
    const info = this.scope.info(table);
    const filters = summedFilters(info, this.scope.choice());
    const sort = sortBy(pick ? rank : x, 'desc');
    return cardQuery(table, info, pick ? FIRST_LINES : REPEATED, { sort, filters, columns: [by] });
  }, false);
  private suggestedFor = '';
  private readonly lines = Array.from({ length: MOST_LINES }, (_, place) => this.rowsAt(place));
  private readonly shown = computed(() => this.names().map((_, n) => this.lines[n]?.() ?? NO_ROWS));
  private readonly loading = computed(() =>
    this.shown().some(({ state }) => state.kind === 'loading'),
  );
  /** Whether values are drawn that are no longer followed. */
  protected readonly failed = computed(() =>
    this.shown().some(({ state }) => state.kind === 'failed'),
  );
  protected readonly turn = computed(() => this.shown()[0]?.generation ?? null);
  /** The lines; those drawn before stay until all of the next are there. */
  protected readonly drawing = linkedSignal<boolean, Drawing>({
    source: this.loading,
    computation: (loading, before) => (loading && before ? before.value : this.draw()),
  });
  /** What to say in place of the lines; null while there are some. */
  protected readonly note = computed(() => {
    const empty = this.card().empty || 'No values yet.';
    if (this.names().length === 0) {
      return this.undecided() ? noteOf(this.first(), empty) : 'Add one to see its values.';
    }
    return this.drawing().points > 0 ? null : noteOf(this.shown()[0] ?? NO_ROWS, empty);
  });

  constructor() {
    effect(() => {
      const said = this.link.given()[linesPart(this.card().name)];
      if (said !== undefined) {
        untracked(() => this.choice().take(readNames(said)));
      }
    });
    effect(() => {
      const { rows, generation } = this.first();
      const choice = this.scope.choice().value;
      // Once, so that lines stay, and again when there are others.
      const occasion = JSON.stringify([choice, String(generation)]);
      const names = [...new Set(rows.map((row) => String(row[this.card().by] ?? '')))];
      if (names.length > 0 && occasion !== this.suggestedFor) {
        this.suggestedFor = occasion;
        untracked(() => this.choice().suggest(names.filter(Boolean)));
      }
    });
  }

  /** Adds a line for good, and says so in the address. */
  protected add(name: string): void {
    this.choice().add(name);
    this.say();
  }

  /** Removes a line, likewise. */
  protected remove(name: string): void {
    this.choice().remove(name);
    this.say();
  }

  private say(): void {
    this.link.set({ [linesPart(this.card().name)]: writeNames(this.choice().names) });
  }

  /** The values of the line at a place; under another name they would be wrong, so none is kept. */
  private rowsAt(place: number) {
    return this.scope.rows(() => {
      const name = this.names()[place];
      if (name === undefined) {
        return null;
      }
      const { by, x, y, weight } = this.card();
      const named: Filter[] = by === '' ? [] : [{ column: by, op: 'is', text: name }];
      const filters = [...named, ...summedFilters(this.info(), this.scope.choice())];
      const asked = { sort: sortBy(x, 'desc'), filters, columns: [x, y, weight] };
      return cardQuery(this.table(), this.info(), LINE_ROWS, asked);
    }, false);
  }

  private draw(): Drawing {
    const card = this.card();
    const look = lookOf(this.info(), card.y);
    const lines = this.names().map((name, n) => lineOf(name, this.shown()[n]?.rows ?? [], card));
    return linesDrawing(card.title, lines, (value) => valueText(value, look, card.format));
  }
}

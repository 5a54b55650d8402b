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
import type { LinkChanges } from '../session/link-parts';
import { PageLink } from '../session/page-link.service';
import { problemOf } from './card-problem';
import { CardProblemComponent } from './card-problem.component';
import { ChartComponent } from './chart/chart.component';
import type { Drawing } from './chart/drawing';
import { FIRST_LINES, firstLines, LineChoice, MOST_LINES } from './line-choice';
import { linesPart, MOST_NAMES, namesIn, readNames, writeNames } from './line-names';
import { LinePickerComponent } from './line-picker.component';
import { LINE_ROWS, lineOf } from './line-points';
import { linesDrawing } from './lines-chart';
import { cardQuery, distinctQuery, sortBy, summedFilters } from './page-query';
import { PageScope } from './page-scope.service';
import { valueText } from './value-text';

/** How soon other lines are suggested where those drawn are gone, in milliseconds. */
const OTHERS_WITHIN = 1500;

/** A line over time, or small ones side by side of which the viewer chooses. */
@Component({
  selector: 'tg-lines-card',
  imports: [CardComponent, CardProblemComponent, ChartComponent, LinePickerComponent],
  template: `
    <tg-card [title]="card().title" [name]="card().name" [said]="said()">
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
        [class.stale]="problem() !== ''"
        [attr.data-testid]="'chart-' + card().name"
        [drawing]="drawing()"
        [note]="note()"
        [turn]="turn()"
      />
      <tg-card-problem [text]="problem()" />
    </tg-card>
  `,
  styleUrls: ['./chart-card.css', './fade.css'],
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
    const { pick, rank, by } = this.card();
    if (!this.undecided()) {
      return null;
    }
    const table = pick || this.table();
    const info = this.scope.info(table);
    const filters = summedFilters(info, this.scope.choice(), by);
    return pick
      ? cardQuery(table, info, FIRST_LINES, { sort: sortBy(rank, 'desc'), filters, columns: [by] })
      : distinctQuery(table, by, MOST_NAMES, filters);
  }, false);
  private suggestedFor = '';
  private readonly lines = Array.from({ length: MOST_LINES }, (_, place) => this.rowsAt(place));
  private readonly shown = computed(() => this.names().map((_, n) => this.lines[n]?.() ?? NO_ROWS));
  private readonly loading = computed(() =>
    this.shown().some(({ state }) => state.kind === 'loading'),
  );
  protected readonly turn = computed(() => this.shown()[0]?.generation ?? null);
  /** Whether lines that nobody chose have no values any more, as after a swap to others. */
  private readonly gone = computed(
    () => this.undecided() && this.shown().every(({ rows }) => rows.length === 0),
  );
  /** Whether no others have come in their place. */
  private readonly stays = signal(false);
  /** The lines; those drawn before stay until all of the next are there. */
  protected readonly drawing = linkedSignal<boolean, Drawing>({
    source: computed(() => this.loading() || (this.gone() && !this.stays())),
    computation: (waits, before) => (waits && before ? before.value : this.draw()),
  });
  /** What to say in place of the lines; null while there are some. */
  protected readonly note = computed(() => {
    const empty = this.card().empty || 'No values yet.';
    if (this.names().length === 0) {
      return this.undecided() ? noteOf(this.first(), empty) : 'Add one to see its values.';
    }
    return this.drawing().points > 0 ? null : noteOf(this.shown()[0] ?? NO_ROWS, empty);
  });
  /** Why what is drawn is no longer followed; what stands in place of lines says it too. */
  protected readonly problem = computed(() =>
    this.note() === null ? problemOf(...this.shown()) : '',
  );
  /** The lines as a link says them, whether or not the viewer has chosen them. */
  protected readonly said = computed<LinkChanges>(() => {
    const { by, name } = this.card();
    const isKnown = by !== '' && !(this.undecided() && this.names().length === 0);
    return isKnown ? { [linesPart(name)]: writeNames(this.names()) } : {};
  });

  constructor() {
    effect((onCleanup) => {
      this.stays.set(false);
      if (this.gone()) {
        const timer = setTimeout(() => this.stays.set(true), OTHERS_WITHIN);
        onCleanup(() => clearTimeout(timer));
      }
    });
    effect(() => {
      const parts = this.link.given();
      const isBare = Object.keys(parts).length === 0 && !this.link.changed();
      untracked(() => this.follow(parts[linesPart(this.card().name)], isBare));
    });
    effect(() => {
      const { rows, generation } = this.first();
      const { by, pick } = this.card();
      const choice = this.choice();
      const names = namesIn(rows, by);
      // Ranks change all the time: once, so that lines stay, and again when there are others.
      const occasion = JSON.stringify([this.scope.choice().value, String(generation)]);
      const before = untracked(() => choice.names);
      const stays = before.length > 0 && occasion === this.suggestedFor ? before : names;
      const next = pick === '' ? firstLines(before, names) : stays;
      if (names.length > 0 && next !== before) {
        this.suggestedFor = occasion;
        untracked(() => choice.suggest(next));
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

  /** Takes the lines that an address says; one without them means those to begin with. */
  private follow(said: string | undefined, isBare: boolean): void {
    const choice = this.choice();
    if (said !== undefined) {
      choice.take(readNames(said));
    } else if (!isBare) {
      choice.forget();
    } else if (!choice.undecided) {
      this.say();
    }
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
      const filters = [...named, ...summedFilters(this.info(), this.scope.choice(), by)];
      const asked = { sort: sortBy(x, 'desc'), filters, columns: [x, y, weight] };
      return cardQuery(this.table(), this.info(), LINE_ROWS, asked);
    }, false);
  }

  private draw(): Drawing {
    const card = this.card();
    const look = lookOf(this.info(), card.y);
    const lines = this.names().map((name, n) => {
      const { rows, total } = this.shown()[n] ?? NO_ROWS;
      return lineOf(name, rows, card, { combine: look.combine, cut: total > rows.length });
    });
    return linesDrawing(card.title, lines, (value) => valueText(value, look, card.format));
  }
}

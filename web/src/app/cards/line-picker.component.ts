import {
  ChangeDetectionStrategy,
  Component,
  computed,
  DestroyRef,
  type ElementRef,
  inject,
  input,
  output,
  signal,
  viewChild,
} from '@angular/core';
import type { LinesCard } from '../catalogue/cards';
import { lookOf } from '../catalogue/tables';
import type { Filter } from '../deephaven/query';
import { noteOf } from '../live-rows/live-rows';
import { MOST_LINES } from './line-choice';
import { moveOption } from './option-cursor';
import { cardQuery, sortBy, summedFilters } from './page-query';
import { PageScope } from './page-scope.service';

/** How many names are read to offer; whoever looks for another one types. */
const OFFERED = 50;
/** Of a table that has several rows of each. */
const REPEATED = 2_000;
/** How long typing must rest before it is looked for, in milliseconds. */
const TYPING_PAUSE = 250;

/** Chooses the lines that are drawn: search, add, remove, all by keyboard too. */
@Component({
  selector: 'tg-line-picker',
  templateUrl: './line-picker.component.html',
  styleUrl: './line-picker.component.css',
  host: { '(focusout)': 'leave($event)' },
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class LinePickerComponent {
  private readonly scope = inject(PageScope);
  private readonly field = viewChild.required<ElementRef<HTMLInputElement>>('search');
  private readonly list = viewChild.required<ElementRef<HTMLElement>>('list');
  private readonly searched = signal('');
  private typing: ReturnType<typeof setTimeout> | undefined;

  /** The card with the lines. */
  readonly card = input.required<LinesCard>();
  /** The lines that are drawn. */
  readonly names = input.required<readonly string[]>();
  /** The viewer wants another line. */
  readonly add = output<string>();
  /** The viewer wants a line no longer. */
  readonly remove = output<string>();

  protected readonly open = signal(false);
  /** The option that the keyboard is on; others may come and go around it. */
  private readonly marked = signal<string | null>(null);
  protected readonly most = MOST_LINES;
  protected readonly full = computed(() => this.names().length >= MOST_LINES);
  protected readonly id = computed(() => `lines-${this.card().name}`);
  private readonly table = computed(() => this.card().pick || (this.card().tables[0] ?? ''));
  protected readonly label = computed(() =>
    lookOf(this.scope.info(this.table()), this.card().by).label.toLowerCase(),
  );
  private readonly found = this.scope.rows(() => {
    if (!this.open()) {
      return null;
    }
    const { by, pick } = this.card();
    const info = this.scope.info(this.table());
    const text = this.searched();
    const named: Filter[] = text === '' ? [] : [{ column: by, op: 'contains', text }];
    const filters = [...summedFilters(info, this.scope.choice()), ...named];
    const asked = { sort: sortBy(by, 'asc'), filters, columns: [by] };
    return cardQuery(this.table(), info, pick ? OFFERED : REPEATED, asked);
  });
  protected readonly options = computed(() => {
    const chosen = new Set(this.names());
    const found = this.found().rows.map((row) => String(row[this.card().by] ?? ''));
    return [...new Set(found)].filter((name) => name !== '' && !chosen.has(name));
  });
  /** Its place in the list; -1 if it is on none. */
  protected readonly active = computed(() => this.options().indexOf(this.marked() ?? ''));
  protected readonly note = computed(() =>
    this.options().length > 0
      ? null
      : (noteOf(this.found(), `No ${this.label()} matches.`) ?? 'All of these are chosen already.'),
  );

  constructor() {
    inject(DestroyRef).onDestroy(() => clearTimeout(this.typing));
  }

  /** Looks for what was typed, once the typing rests. */
  protected type(text: string): void {
    this.show();
    clearTimeout(this.typing);
    this.typing = setTimeout(() => {
      this.searched.set(text.trim());
      this.marked.set(null);
    }, TYPING_PAUSE);
  }

  /** Opens the list, unless no more can be chosen. */
  protected show(): void {
    this.open.set(!this.full());
  }

  /** Adds a line and is ready for the next one. */
  protected take(name: string): void {
    this.add.emit(name);
    this.reset();
    this.field().nativeElement.focus();
  }

  /** Removes a line. */
  protected drop(name: string): void {
    this.remove.emit(name);
    this.field().nativeElement.focus();
  }

  /** Moves through the list, picks from it, closes it, or removes the last line. */
  protected press(event: KeyboardEvent): void {
    const next = this.open() ? moveOption(this.active(), event.key, this.options().length) : null;
    const picked = this.options()[this.active()];
    if (next !== null) {
      this.mark(next);
    } else if (event.key === 'ArrowDown') {
      this.show();
    } else if (event.key === 'Enter' && picked !== undefined) {
      this.take(picked);
    } else if (event.key === 'Escape') {
      this.reset();
    } else if (event.key === 'Backspace' && this.field().nativeElement.value === '') {
      this.names()
        .slice(-1)
        .forEach((last) => this.drop(last));
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Closes the list when the viewer goes elsewhere. */
  protected leave(event: FocusEvent): void {
    const here = event.currentTarget as HTMLElement;
    if (!here.contains(event.relatedTarget as Node | null)) {
      this.reset();
    }
  }

  private mark(place: number): void {
    this.marked.set(this.options()[place] ?? null);
    this.list().nativeElement.children[place]?.scrollIntoView({ block: 'nearest' });
  }

  private reset(): void {
    clearTimeout(this.typing);
    this.field().nativeElement.value = '';
    this.searched.set('');
    this.marked.set(null);
    this.open.set(false);
  }
}

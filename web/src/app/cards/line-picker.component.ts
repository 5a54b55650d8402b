import { CdkListbox, CdkOption, type ListboxValueChangeEvent } from '@angular/cdk/listbox';
import {
  afterNextRender,
  ChangeDetectionStrategy,
  Component,
  computed,
  DestroyRef,
  type ElementRef,
  inject,
  Injector,
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
import { MOST_NAMES, namesIn } from './line-names';
import { picksOf } from './line-picks';
import { distinctQuery, summedFilters } from './page-query';
import { PageScope } from './page-scope.service';

/** How long typing must rest before it is looked for, in milliseconds. */
const TYPING_PAUSE = 250;

/** Chooses the lines that are drawn: a list of all there are, a search for it, a button for each line. */
@Component({
  selector: 'tg-line-picker',
  imports: [CdkListbox, CdkOption],
  templateUrl: './line-picker.component.html',
  styleUrl: './line-picker.component.css',
  host: { '(focusout)': 'leave($event)', '(keydown.escape)': 'close($event)' },
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class LinePickerComponent {
  private readonly scope = inject(PageScope);
  private readonly injector = inject(Injector);
  private readonly field = viewChild.required<ElementRef<HTMLInputElement>>('search');
  private readonly list = viewChild.required(CdkListbox);
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
  protected readonly most = MOST_LINES;
  protected readonly full = computed(() => this.names().length >= MOST_LINES);
  protected readonly id = computed(() => `lines-${this.card().name}`);
  private readonly table = computed(() => this.card().pick || (this.card().tables[0] ?? ''));
  private readonly look = computed(() => lookOf(this.scope.info(this.table()), this.card().by));
  protected readonly label = computed(() => this.look().label.toLowerCase());
  private readonly found = this.scope.rows(() => {
    if (!this.open()) {
      return null;
    }
    const { by } = this.card();
    const [choice, text] = [this.scope.choice(), this.searched()];
    // A part of a text, but a whole number.
    const op = this.look().type === 'string' ? 'contains' : 'is';
    const named: Filter[] = text === '' ? [] : [{ column: by, op, text }];
    const filters = [...summedFilters(this.scope.info(this.table()), choice, by), ...named];
    return distinctQuery(this.table(), by, MOST_NAMES, filters);
  });
  protected readonly options = computed(() => namesIn(this.found().rows, this.card().by));
  protected readonly selected = computed(() =>
    this.options().filter((name) => this.names().includes(name)),
  );
  /** What is said below the names. */
  protected readonly note = computed(() => {
    const { rows, total } = this.found();
    return total > rows.length
      ? `The first ${rows.length} of ${total}. Type to find others.`
      : noteOf({ ...this.found(), rows: this.options() }, `No ${this.label()} matches.`);
  });

  constructor() {
    inject(DestroyRef).onDestroy(() => clearTimeout(this.typing));
  }

  /** Looks for what was typed, once the typing rests. */
  protected type(text: string): void {
    this.open.set(true);
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.searched.set(text.trim()), TYPING_PAUSE);
  }

  /** Opens the list and goes to its names. */
  protected enter(event: Event): void {
    event.preventDefault();
    if (this.open()) {
      // At once: the next key may follow before anything is drawn.
      this.list().focus();
    } else {
      this.open.set(true);
      afterNextRender(() => this.list().focus(), { injector: this.injector });
    }
  }

  /** Adds and removes lines as they are selected. */
  protected pick({ value, listbox }: ListboxValueChangeEvent<string>): void {
    const { added, removed, selected } = picksOf(this.names(), this.options(), value);
    removed.forEach((name) => this.remove.emit(name));
    added.forEach((name) => this.add.emit(name));
    listbox.value = selected;
  }

  /** Removes a line. */
  protected drop(name: string): void {
    this.remove.emit(name);
    this.field().nativeElement.focus();
  }

  /** Removes the last line, where there is nothing else to take back. */
  protected takeBack(): void {
    const last = this.names().at(-1);
    if (this.field().nativeElement.value === '' && last !== undefined) {
      this.drop(last);
    }
  }

  /** Closes the list and goes on in the search. */
  protected close(event: Event): void {
    if (this.open()) {
      event.stopPropagation();
      this.reset();
      this.field().nativeElement.focus();
    }
  }

  /** Closes the list when the viewer goes elsewhere. */
  protected leave(event: FocusEvent): void {
    const here = event.currentTarget as HTMLElement;
    if (!here.contains(event.relatedTarget as Node | null)) {
      this.reset();
    }
  }

  private reset(): void {
    clearTimeout(this.typing);
    this.field().nativeElement.value = '';
    this.searched.set('');
    this.open.set(false);
  }
}

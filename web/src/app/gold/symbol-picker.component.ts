import {
  ChangeDetectionStrategy,
  Component,
  computed,
  DestroyRef,
  type ElementRef,
  inject,
  signal,
  viewChild,
} from '@angular/core';
import { noteOf } from '../live-rows/live-rows';
import { TYPING_PAUSE } from '../live-table/live-table';
import { GoldData } from './gold-data.service';
import { symbolsQuery } from './gold-queries';
import { moveOption } from './option-cursor';
import { MOST_SYMBOLS } from './symbol-choice';

/** How many symbols are offered at once; whoever looks for another one types. */
const OFFERED = 50;

/** Chooses the symbols whose prices are drawn: search, add, remove, all by keyboard too. */
@Component({
  selector: 'tg-symbol-picker',
  templateUrl: './symbol-picker.component.html',
  styleUrl: './symbol-picker.component.css',
  host: { '(focusout)': 'leave($event)' },
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class SymbolPickerComponent {
  private readonly data = inject(GoldData);
  private readonly input = viewChild.required<ElementRef<HTMLInputElement>>('search');
  private readonly list = viewChild.required<ElementRef<HTMLElement>>('list');
  private readonly searched = signal('');
  private typing: ReturnType<typeof setTimeout> | undefined;
  protected readonly open = signal(false);
  /** The option that the keyboard is on; others may come and go around it. */
  private readonly marked = signal<string | null>(null);
  protected readonly most = MOST_SYMBOLS;
  protected readonly symbols = this.data.symbols;
  protected readonly full = computed(() => this.symbols().length >= MOST_SYMBOLS);
  private readonly found = this.data.rows(
    () => (this.open() ? symbolsQuery(this.searched(), this.data.source()) : null),
    OFFERED,
    (row) => row.text('symbol'),
  );
  protected readonly options = computed(() => {
    const chosen = new Set(this.symbols());
    return [...new Set(this.found().rows)].filter((symbol) => !chosen.has(symbol));
  });
  /** Its place in the list; -1 if it is on none. */
  protected readonly active = computed(() => this.options().indexOf(this.marked() ?? ''));
  protected readonly note = computed(() =>
    this.options().length > 0
      ? null
      : (noteOf(this.found(), 'No symbol with trades in the last 15 minutes matches.') ??
        'All of these are chosen already.'),
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

  /** Adds a symbol and is ready for the next one. */
  protected add(symbol: string): void {
    this.data.choice.add(symbol);
    this.reset();
    this.input().nativeElement.focus();
  }

  /** Removes a symbol. */
  protected remove(symbol: string): void {
    this.data.choice.remove(symbol);
    this.input().nativeElement.focus();
  }

  /** Moves through the list, picks from it, closes it, or removes the last symbol. */
  protected press(event: KeyboardEvent): void {
    const next = this.open() ? moveOption(this.active(), event.key, this.options().length) : null;
    const picked = this.options()[this.active()];
    if (next !== null) {
      this.mark(next);
    } else if (event.key === 'ArrowDown') {
      this.show();
    } else if (event.key === 'Enter' && picked !== undefined) {
      this.add(picked);
    } else if (event.key === 'Escape') {
      this.reset();
    } else if (event.key === 'Backspace' && this.input().nativeElement.value === '') {
      this.symbols()
        .slice(-1)
        .forEach((last) => this.remove(last));
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
    this.input().nativeElement.value = '';
    this.searched.set('');
    this.marked.set(null);
    this.open.set(false);
  }
}

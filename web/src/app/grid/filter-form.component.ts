import { CdkListbox, CdkOption } from '@angular/cdk/listbox';
import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  inject,
  input,
  linkedSignal,
  output,
  signal,
} from '@angular/core';
import type { FilterCell } from '../deephaven/query';
import { HubService } from '../session/hub.service';
import { watchValues, type ColumnValues } from './column-values';
import { filterModes, timeInput, type FilterMode } from './filter-modes';
import type { ColumnView } from './grid-view';
import { TYPING_PAUSE } from './live-table';
import { MAX_VALUES, valueText, type QuickFilter } from './quick-filter';

const MINUTE = 60_000;

/** The filter of a column that is chosen, not typed: a range, some of its values, empty or not. */
@Component({
  selector: 'tg-filter-form',
  imports: [CdkListbox, CdkOption],
  templateUrl: './filter-form.component.html',
  styleUrl: './filter-form.component.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class FilterFormComponent {
  private readonly hub = inject(HubService);
  /** The table. */
  readonly table = input.required<string>();
  /** The column, with its filter. */
  readonly column = input.required<ColumnView>();
  /** The viewer wants that filter, or none. */
  readonly filter = output<QuickFilter | null>();

  protected readonly name = computed(() => this.column().name);
  protected readonly kind = computed(() => this.column().kind);
  protected readonly modes = computed(() => filterModes(this.kind()));
  private readonly quickKind = computed<FilterMode>(() => this.column().quick?.kind ?? 'any');
  /** How to filter; what the viewer chose stays while a range or a list is emptied to be filled anew. */
  protected readonly mode = linkedSignal<FilterMode, FilterMode>({
    source: this.quickKind,
    computation: (kind, previous) => (kind === 'any' && previous ? previous.value : kind),
  });
  protected readonly search = signal('');
  private typing: ReturnType<typeof setTimeout> | undefined;
  protected readonly offered = signal<ColumnValues>({ values: [], total: 0, message: '' });
  protected readonly range = computed(() => {
    const quick = this.column().quick;
    return quick?.kind === 'range' ? quick : { low: null, high: null };
  });
  protected readonly span = computed(() => {
    const quick = this.column().quick;
    const { from, to } = quick?.kind === 'time' ? quick : { from: null, to: null };
    return { from: timeInput(from), to: timeInput(to) };
  });
  protected readonly chosen = computed<readonly FilterCell[]>(() => {
    const quick = this.column().quick;
    return quick?.kind === 'oneOf' ? quick.values : [];
  });
  /** The values there are, and those chosen that are not among them. */
  protected readonly values = computed(() => [
    ...this.chosen().filter((value) => !this.offered().values.includes(value)),
    ...this.offered().values,
  ]);
  protected readonly valueText = valueText;
  protected readonly recent = [
    { label: '5 min', milliseconds: 5 * MINUTE },
    { label: '15 min', milliseconds: 15 * MINUTE },
    { label: '1 h', milliseconds: 60 * MINUTE },
    { label: '24 h', milliseconds: 24 * 60 * MINUTE },
  ];

  constructor() {
    effect((onCleanup) => {
      if (this.mode() === 'oneOf') {
        const { tables } = this.hub;
        const changed = (values: ColumnValues) => this.offered.set(values);
        onCleanup(
          watchValues(tables, this.table(), this.name(), this.kind(), this.search(), changed),
        );
      }
    });
  }

  /** Filters that way; a range or values wait until some are given. */
  protected choose(mode: FilterMode): void {
    this.mode.set(mode);
    if (mode === 'any') {
      this.filter.emit(null);
    } else if (mode === 'empty' || mode === 'filled') {
      this.filter.emit({ kind: mode });
    }
  }

  /** Filters by a range of numbers. */
  protected setRange(low: string, high: string): void {
    const limits = { low: readNumber(low), high: readNumber(high) };
    const some = limits.low !== null || limits.high !== null;
    this.filter.emit(some ? { kind: 'range', ...limits } : null);
  }

  /** Filters by a range of time. */
  protected setSpan(from: string, to: string): void {
    const limits = { from: readTime(from), to: readTime(to) };
    const some = limits.from !== null || limits.to !== null;
    this.filter.emit(some ? { kind: 'time', ...limits } : null);
  }

  /** Filters by the time since so many milliseconds ago. */
  protected since(milliseconds: number): void {
    // Whole seconds, which the input can show.
    const from = Math.floor((Date.now() - milliseconds) / 1_000) * 1_000;
    this.filter.emit({ kind: 'time', from, to: null });
  }

  /** Looks for values by what has been typed, once the typing rests. */
  protected find(text: string): void {
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.search.set(text), TYPING_PAUSE);
  }

  /** Filters by values. */
  protected setValues(values: readonly FilterCell[]): void {
    const some = values.slice(0, MAX_VALUES);
    this.filter.emit(some.length > 0 ? { kind: 'oneOf', values: some } : null);
  }
}

function readNumber(text: string): number | null {
  const number = Number(text);
  return text.trim() === '' || !Number.isFinite(number) ? null : number;
}

function readTime(text: string): number | null {
  const epoch = Date.parse(text);
  return Number.isNaN(epoch) ? null : epoch;
}

import {
  ChangeDetectionStrategy,
  Component,
  computed,
  DestroyRef,
  type ElementRef,
  effect,
  inject,
  Injector,
  input,
  type OnInit,
  signal,
  viewChild,
} from '@angular/core';
import type { Filter } from '../deephaven/query';
import { FramesService } from '../shell/frames.service';
import { HubService } from '../shell/hub.service';
import { PulseService } from '../status-bar/pulse.service';
import { downloadText } from './download-text';
import { GridToolbarComponent } from './grid-toolbar.component';
import { EMPTY_VIEW, type GridView } from './grid-view';
import { LiveTable } from './live-table';
import { ROW_HEIGHT } from './row-scroll';
import type { TableSpec } from './table-spec';

/** The height of the column heads with their filters, in pixels. */
const HEAD_HEIGHT = 56;
let grids = 0;

/** A live grid over a whole table: draws what `LiveTable` says and passes on what the viewer does. */
@Component({
  selector: 'tg-live-table',
  imports: [GridToolbarComponent],
  templateUrl: './live-table.component.html',
  styleUrl: './live-table.component.css',
  host: { '[style.--row-height.px]': 'rowHeight', '[style.--head-height.px]': 'headHeight' },
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class LiveTableComponent implements OnInit {
  private readonly hub = inject(HubService);
  private readonly frames = inject(FramesService).frames;
  private readonly pulse = inject(PulseService).pulse;
  private readonly destroyed = inject(DestroyRef);
  private readonly injector = inject(Injector);
  private readonly scroller = viewChild.required<ElementRef<HTMLElement>>('scroller');
  private appliedScroll = 0;
  /** Whether another panel fills the page. */
  private away = false;

  /** Which table, and how it is shown. It does not change during the life of the grid. */
  readonly spec = input.required<TableSpec>();
  /** What the grid is called, for screen readers. */
  readonly label = input.required<string>();
  /** Filters of the page that hold beside those of the viewer. */
  readonly filters = input<readonly Filter[]>([]);

  protected readonly rowHeight = ROW_HEIGHT;
  protected readonly headHeight = HEAD_HEIGHT;
  protected readonly id = `grid-${grids++}`;
  protected readonly view = signal<GridView>(EMPTY_VIEW);
  protected readonly bodyHeight = signal(0);
  protected readonly columns = computed(() => this.view().columns, { equal: sameJson });
  protected readonly template = computed(() =>
    this.columns()
      .map(({ width }) => `minmax(${width}px, ${width}fr)`)
      .join(' '),
  );
  protected readonly minWidth = computed(() =>
    this.columns().reduce((sum, column) => sum + column.width, 0),
  );
  protected live!: LiveTable;

  ngOnInit(): void {
    const sink = {
      draw: (view: GridView) => this.draw(view),
      drawn: () => this.applyScroll(),
      painted: (times: readonly number[], now: number) => this.painted(times, now),
      newest: (time: number) => this.pulse.saw(this, time),
    };
    const { hub, frames } = this;
    this.live = new LiveTable(this.spec(), hub.tables, frames, sink, Date.now, this.filters());
    effect(() => this.live.restrict(this.filters()), { injector: this.injector });
    const element = this.scroller().nativeElement;
    const observer = new ResizeObserver(() => this.measure(element));
    observer.observe(element);
    const shown = () => this.live.skipMeasuring();
    document.addEventListener('visibilitychange', shown);
    // A passive listener could not keep the page from scrolling the coarse way.
    const wheel = (event: WheelEvent) => this.wheel(event);
    element.addEventListener('wheel', wheel, { passive: false });
    this.destroyed.onDestroy(() => {
      observer.disconnect();
      document.removeEventListener('visibilitychange', shown);
      this.live.close();
      this.pulse.forget(this);
    });
  }

  /** Moves the cursor, or selects the whole row. */
  protected press(event: KeyboardEvent): void {
    const cursor = this.view().cursor;
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key === ' ' && event.shiftKey && cursor) {
      this.live.pick(cursor.row, cursor.column, true);
      event.preventDefault();
    } else if (this.live.press(event.key, event.shiftKey)) {
      event.preventDefault();
    }
  }

  /** Puts the cursor on the cell under the pointer. */
  protected pick(event: MouseEvent): void {
    const hit = cellAt(event);
    if (hit && event.button === 0) {
      this.live.pick(hit.row, hit.column, event.shiftKey);
      this.scroller().nativeElement.focus({ preventScroll: true });
      event.preventDefault();
    }
  }

  /** Gives the cell under the pointer its tooltip; to bind one to every cell would cost a lot. */
  protected explain(event: Event): void {
    const hit = cellAt(event);
    if (hit) {
      hit.element.title = this.live.titleOf(hit.row, hit.column);
    }
  }

  /** Copies the selection, unless the viewer has marked text in a filter. */
  protected copy(event: ClipboardEvent): void {
    const text = event.target instanceof HTMLInputElement ? null : this.live.copyText();
    if (text !== null && event.clipboardData) {
      event.clipboardData.setData('text/plain', text);
      event.preventDefault();
    }
  }

  /** Saves the visible rows. */
  protected download(): void {
    downloadText(`${this.spec().table}.csv`, 'text/csv', this.live.csv());
  }

  private wheel(event: WheelEvent): void {
    if (this.view().scaled && event.deltaY !== 0 && !event.ctrlKey) {
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? ROW_HEIGHT : 1;
      this.live.scrollBy(event.deltaY * unit);
      event.preventDefault();
    }
  }

  private draw(view: GridView): void {
    // What nobody sees takes its time from what somebody does.
    if (!this.away) {
      this.view.set(view);
    }
  }

  private painted(times: readonly number[], now: number): void {
    if (!this.away) {
      this.pulse.painted(times, now);
    }
  }

  private measure(element: HTMLElement): void {
    const wasAway = this.away;
    this.away = element.clientHeight === 0;
    const height = element.clientHeight - HEAD_HEIGHT;
    if (!this.away && (wasAway || height !== this.bodyHeight())) {
      this.bodyHeight.set(height);
      this.live.resize(height);
    }
  }

  private applyScroll(): void {
    const { scrollVersion, scrollTop } = this.view();
    if (scrollVersion !== this.appliedScroll) {
      this.appliedScroll = scrollVersion;
      this.scroller().nativeElement.scrollTop = scrollTop;
    }
  }
}

/** Column heads are rebuilt with every frame but rarely differ. */
function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The cell that an event happened on. */
function cellAt(event: Event): { element: HTMLElement; row: number; column: number } | null {
  const element = (event.target as Element).closest<HTMLElement>('[data-column]');
  const row = element?.closest<HTMLElement>('[data-row-index]')?.dataset['rowIndex'];
  return element && row !== undefined
    ? { element, row: Number(row), column: Number(element.dataset['column']) }
    : null;
}

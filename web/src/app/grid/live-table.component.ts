import {
  ChangeDetectionStrategy,
  Component,
  computed,
  DestroyRef,
  effect,
  type ElementRef,
  inject,
  Injector,
  input,
  inputBinding,
  type OnInit,
  output,
  outputBinding,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import type { Filter } from '../deephaven/query';
import { FramesService } from './frames.service';
import { HubService } from '../session/hub.service';
import { PulseService } from '../freshness/pulse.service';
import { actOnColumn } from './act-on-column';
import { columnTrack, revealLeft } from './column-track';
import { ROW_HEIGHTS } from './density';
import { DensityService } from './density.service';
import type { DetailsTarget } from './details-target';
import { downloadFile } from './download-file';
import { FILE_TYPES, type FileKind, type SaveChoice } from './file-types';
import { GridHeadComponent } from './grid-head.component';
import type { GridLook } from './grid-look';
import type { ColumnAction, GridPopup } from './grid-popup';
import { GridToolbarComponent } from './grid-toolbar.component';
import { EMPTY_VIEW, type GridView } from './grid-view';
import { LazyPartComponent, type LazyPart } from './lazy-part.component';
import { LiveTable } from './live-table';
import { PausedPillComponent } from './paused-pill.component';
import type { QuickFilter } from './quick-filter';
import type { ExportPlan } from './table-export';
import type { TableSpec } from './table-spec';

/** The height of the column heads with their filters, in pixels. */
const HEAD_HEIGHT = 56;
let grids = 0;

/** A live grid over a whole table: draws what `LiveTable` says and passes on what the viewer does. */
@Component({
  selector: 'tg-live-table',
  imports: [GridHeadComponent, GridToolbarComponent, LazyPartComponent, PausedPillComponent],
  templateUrl: './live-table.component.html',
  styleUrl: './live-table.component.css',
  host: { '[style.--row-height.px]': 'rowHeight()', '[style.--head-height.px]': 'headHeight' },
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class LiveTableComponent implements OnInit {
  private readonly hub = inject(HubService);
  private readonly frames = inject(FramesService).frames;
  private readonly pulse = inject(PulseService).pulse;
  private readonly density = inject(DensityService).density;
  private readonly destroyed = inject(DestroyRef);
  private readonly injector = inject(Injector);
  private readonly scroller = viewChild.required<ElementRef<HTMLElement>>('scroller');
  private appliedScroll = 0;
  /** Whether another panel fills the page. */
  private away = false;
  /** Whether a key has moved the cursor, whose cell may be out of sight. */
  private reveals = false;

  /** Which table, and how it is shown. It does not change during the life of the grid. */
  readonly spec = input.required<TableSpec>();
  /** What the grid is called, for screen readers. */
  readonly label = input.required<string>();
  /** Filters of the page that hold beside those of the viewer. */
  readonly filters = input<readonly Filter[]>([]);
  /** How the grid is to look, now and whenever the page changes it; null leaves it alone. */
  readonly look = input<GridLook | null>(null);
  /** Whether rows can be saved as files. */
  readonly exports = input(true);
  /** The viewer has changed the look. */
  readonly lookChange = output<GridLook>();

  /** Whether there is a button to save rows: the page and the server must both want it. */
  protected readonly saves = computed(() => this.exports() && this.hub.settings().exports);
  protected readonly rowHeight = computed(() => ROW_HEIGHTS[this.density()]);
  protected readonly headHeight = HEAD_HEIGHT;
  protected readonly id = `grid-${grids++}`;
  protected readonly view = signal<GridView>(EMPTY_VIEW);
  protected readonly bodyHeight = signal(0);
  protected readonly bodyWidth = signal(0);
  protected readonly columns = computed(() => this.view().columns, { equal: sameJson });
  protected readonly track = computed(() => columnTrack(this.columns(), this.bodyWidth()));
  /** The classes of the cells by column, each with a space behind it. */
  protected readonly cellClasses = computed(() => {
    const { lefts } = this.track();
    return this.columns().map(
      ({ right }, place) =>
        `cell ${right ? 'right ' : ''}${place < lefts.length ? `frozen frozen-${place} ` : ''}`,
    );
  });
  /** What is open over the grid. */
  protected readonly popup = signal<GridPopup | null>(null);
  /** The row whose details are open. */
  protected readonly details = signal<DetailsTarget | null>(null);
  /** What is being saved. */
  protected readonly exporting = signal<{ plan: ExportPlan; as: FileKind } | null>(null);
  /** What opens over the grid and beside it is loaded when it is first asked for. */
  protected readonly popupPart = computed<LazyPart | null>(() => {
    const popup = this.popup();
    return (
      popup && {
        load: () => import('./grid-popup.component').then((file) => file.GridPopupComponent),
        bindings: [
          inputBinding('popup', () => popup),
          inputBinding('table', () => this.spec().table),
          inputBinding('columns', this.columns),
          // They are not a signal, but change with the view.
          inputBinding('choices', () => this.view() && this.live.query.choices()),
          inputBinding('total', () => this.view().total),
          outputBinding('closed', () => this.popup.set(null)),
          outputBinding('restore', () => this.live.resetColumns()),
          outputBinding<SaveChoice>('save', (choice) => this.save(choice)),
          outputBinding<{ name: string; hidden: boolean }>('hide', ({ name, hidden }) =>
            this.live.setHidden(name, hidden),
          ),
          outputBinding<{ name: string; action: ColumnAction }>('act', ({ name, action }) =>
            this.act(name, action),
          ),
          outputBinding<{ name: string; quick: QuickFilter | null }>('filter', (chosen) =>
            this.live.setQuickFilter(chosen.name, chosen.quick),
          ),
        ],
      }
    );
  });
  protected readonly detailsPart = computed<LazyPart | null>(() => {
    const target = this.details();
    return (
      target && {
        load: () => import('./row-details.component').then((file) => file.RowDetailsComponent),
        bindings: [
          inputBinding('spec', this.spec),
          inputBinding('target', () => target),
          outputBinding('closed', () => this.closeDetails()),
        ],
      }
    );
  });
  protected readonly exportPart = computed<LazyPart | null>(() => {
    const chosen = this.exporting();
    return (
      chosen && {
        load: () =>
          import('./export-progress.component').then((file) => file.ExportProgressComponent),
        bindings: [
          inputBinding('plan', () => chosen.plan),
          inputBinding('as', () => chosen.as),
          outputBinding<string>('closed', (spoken) => this.saved(spoken)),
        ],
      }
    );
  });
  /** What a screen reader reads out. */
  protected readonly spoken = signal('');
  protected live!: LiveTable;

  ngOnInit(): void {
    const sink = {
      draw: (view: GridView) => this.draw(view),
      drawn: () => this.applyScroll(),
      painted: (times: readonly number[], now: number) => this.painted(times, now),
      newest: (time: number) => this.pulse.saw(this, time),
      looked: (look: GridLook) => this.lookChange.emit(look),
      say: (text: string) => this.spoken.set(text),
    };
    const { hub, frames, injector } = this;
    const look = this.look() ?? {};
    this.live = new LiveTable(
      this.spec(),
      hub.tables,
      frames,
      sink,
      Date.now,
      this.filters(),
      look,
    );
    effect(() => this.live.restrict(this.filters()), { injector });
    effect(() => this.live.setRowHeight(this.rowHeight()), { injector });
    effect(() => this.applyLook(this.look()), { injector });
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

  /** How the viewer sees the grid now. */
  currentLook(): GridLook {
    return this.live.look();
  }

  /** Moves the cursor, selects the whole row, opens or closes the details. */
  protected press(event: KeyboardEvent): void {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    // Not the one that is drawn: a key may follow a click before the next frame.
    const cursor = this.live.cursor;
    if (event.key === ' ' && event.shiftKey && cursor) {
      this.live.pick(cursor.row, cursor.column, true);
    } else if (event.key === 'Enter' && cursor) {
      this.showDetails();
    } else if (event.key === 'Escape' && this.details()) {
      this.closeDetails();
    } else if (this.live.press(event.key, event.shiftKey)) {
      this.reveals = true;
    } else {
      return;
    }
    event.preventDefault();
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

  /** Shows the row under the cursor with all its columns. */
  protected showDetails(event?: Event): void {
    if (!event || cellAt(event)) {
      this.details.set(this.live.details());
    }
  }

  /** Closes the details and goes back to the rows. */
  protected closeDetails(): void {
    this.details.set(null);
    this.scroller().nativeElement.focus({ preventScroll: true });
  }

  /** Opens a popup, or closes it if it is the one that is open. */
  protected toggle(popup: GridPopup): void {
    this.popup.update((open) => (open?.origin === popup.origin ? null : popup));
  }

  /** Does to a column what its menu or its head was asked for. */
  protected act(name: string, action: ColumnAction): void {
    if (action.kind === 'hide') {
      // The head that has the focus goes.
      this.popup.set(null);
      this.scroller().nativeElement.focus({ preventScroll: true });
    }
    actOnColumn(this.live, this.columns(), name, action);
  }

  /** Saves the rows on screen now, or starts to save all of them. */
  protected save(choice: SaveChoice): void {
    this.popup.set(null);
    if (choice.rows === 'all') {
      this.exporting.set({ plan: this.live.exportPlan(), as: choice.as });
    } else {
      downloadFile(`${this.spec().table}.csv`, FILE_TYPES.csv.mime, [this.live.csv()]);
    }
  }

  /** Says what became of an export. */
  protected saved(spoken: string): void {
    this.exporting.set(null);
    this.spoken.set(spoken);
  }

  /** Holds the rows, or lets them run again. */
  protected togglePause(): void {
    if (this.view().paused) {
      this.live.resume();
    } else {
      this.live.pause();
    }
  }

  /** Says that what the viewer asked for cannot be loaded now. */
  protected notLoaded(): void {
    this.spoken.set('The server does not answer. Try again when it is back.');
  }

  private applyLook(look: GridLook | null): void {
    if (look) {
      untracked(() => this.live.apply(look));
    }
  }

  private wheel(event: WheelEvent): void {
    if (this.view().scaled && event.deltaY !== 0 && !event.ctrlKey) {
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? this.rowHeight() : 1;
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
      this.pulse.painted(times, now, this.spec().together);
    }
  }

  private measure(element: HTMLElement): void {
    const wasAway = this.away;
    this.away = element.clientHeight === 0;
    const height = element.clientHeight - HEAD_HEIGHT;
    if (!this.away) {
      this.bodyWidth.set(element.clientWidth);
    }
    if (!this.away && (wasAway || height !== this.bodyHeight())) {
      this.bodyHeight.set(height);
      this.live.resize(height);
    }
  }

  private applyScroll(): void {
    const { scrollVersion, scrollTop, cursor } = this.view();
    const element = this.scroller().nativeElement;
    if (scrollVersion !== this.appliedScroll) {
      this.appliedScroll = scrollVersion;
      element.scrollTop = scrollTop;
    }
    if (this.reveals && cursor) {
      this.reveals = false;
      this.revealCell(element, `${this.id}-${cursor.row}-${cursor.column}`, cursor.column);
    }
  }

  private revealCell(element: HTMLElement, id: string, column: number): void {
    const { lefts } = this.track();
    const cell = document.getElementById(id)?.getBoundingClientRect();
    if (cell && column >= lefts.length) {
      const { left } = element.getBoundingClientRect();
      const widths = this.columns().slice(0, lefts.length);
      const frozen = widths.reduce((sum, { width }) => sum + width, 0);
      const view = { left, right: left + element.clientWidth, frozen };
      element.scrollLeft = revealLeft(element.scrollLeft, view, cell);
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

import {
  afterNextRender,
  ChangeDetectionStrategy,
  Component,
  computed,
  DestroyRef,
  effect,
  ElementRef,
  inject,
  Injector,
  input,
  linkedSignal,
  signal,
  untracked,
} from '@angular/core';
import { BarsCardComponent } from '../cards/bars-card.component';
import { ChartPaceService } from '../cards/chart/chart-pace.service';
import { LinesCardComponent } from '../cards/lines-card.component';
import { ListCardComponent } from '../cards/list-card.component';
import { choiceFilters } from '../cards/page-query';
import { PageScope } from '../cards/page-scope.service';
import { formsOf } from '../cards/table-specs';
import { TileCardComponent } from '../cards/tile-card.component';
import type { Card } from '../catalogue/cards';
import { CatalogueService } from '../catalogue/catalogue.service';
import type { FlowPage } from '../catalogue/flow-pages';
import { ALL, lookOf } from '../catalogue/tables';
import { FreshnessService } from '../freshness/freshness.service';
import type { GridLook } from '../grid/grid-look';
import { PanelComponent } from '../panel/panel.component';
import { CARD, FILLED, FILTER } from '../session/link-parts';
import { PageLink } from '../session/page-link.service';
import { gridPart, readGrid, writeGrid, type GridLink } from './grid-link';
import { COLUMNS, layoutOf, type Place } from './layout';
import { filterOptions, filterTable, MOST_VALUES, valueAt, valuesQuery } from './page-filter';
import { ReloadComponent } from './reload.component';

/** The cards of a flow's page in their grid, and the filter that all of them follow. */
@Component({
  selector: 'tg-desk',
  imports: [
    BarsCardComponent,
    LinesCardComponent,
    ListCardComponent,
    PanelComponent,
    ReloadComponent,
    TileCardComponent,
  ],
  templateUrl: './desk.component.html',
  styleUrl: './desk.component.css',
  providers: [ChartPaceService, PageLink, PageScope],
  host: {
    '[attr.data-testid]': "address() + '-page'",
    '[class.stale]': '!scope.connected()',
  },
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class DeskComponent {
  protected readonly scope = inject(PageScope);
  private readonly catalogue = inject(CatalogueService);
  private readonly freshness = inject(FreshnessService);
  private readonly link = inject(PageLink);
  private readonly injector = inject(Injector);
  private readonly host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  private readonly pageWidth = signal(1280);

  /** What to show. */
  readonly page = input.required<FlowPage>();
  /** Where it is. */
  readonly address = input.required<string>();

  private readonly flow = computed(() => this.page().flow);
  private readonly filter = computed(() => this.page().filter);
  /** The card that fills the page. */
  private readonly maximised = linkedSignal(() => this.link.given()[FILLED] ?? null);
  private readonly filled = computed(() =>
    this.page().cards.some(({ name }) => name === this.maximised()) ? this.maximised() : null,
  );
  private readonly layout = computed(() => layoutOf(this.page().cards, this.pageWidth()));
  protected readonly rows = computed(() =>
    this.filled() === null ? this.layout().rows : 'minmax(0, 1fr)',
  );
  /** What the address says of each grid; nothing before it first does. */
  private readonly grids = computed(() => {
    const parts = this.link.given();
    const says = this.page().cards.filter(
      ({ name }) => gridPart(name) in parts || this.link.changed(),
    );
    return new Map(says.map(({ name }) => [name, readGrid(parts[gridPart(name)])]));
  });
  /** What each grid shows now. */
  private readonly shown = linkedSignal<ReadonlyMap<string, GridLink>>(() => this.grids());
  /** What each grid began with, when it was made or the address last changed under it. */
  private readonly begun = new Map<string, { key: string; given: unknown; link?: GridLink }>();
  /** The card that a link has led to. */
  protected readonly led = computed(() => this.link.given()[CARD] ?? '');
  /** How current the flow is. */
  protected readonly age = computed(() => this.freshness.of(this.page().flow));
  /** The cards where they stand. A grid whose table is shown otherwise is another grid. */
  protected readonly cards = computed(() =>
    this.page().cards.map((card, n) => {
      const forms = card.kind === 'grid' ? formsOf(card, this.catalogue.tables()) : [];
      const filled = this.filled() === card.name;
      const place = this.layout().places[n] as Place;
      const key = `${card.kind} ${card.name} ${JSON.stringify(forms)}`;
      return {
        card,
        link: this.linkOf(card.name, key),
        forms: forms.map((form) => ({ ...form, filters: this.filtersOn(form.spec.table) })),
        key,
        area: filled ? `1 / 1 / auto / span ${COLUMNS}` : areaOf(place),
        away: this.filled() !== null && !filled,
        filled,
      };
    }),
  );

  private readonly valuesTable = computed(() => filterTable(this.page(), this.catalogue.tables()));
  private readonly values = this.scope.rows(() => {
    const table = this.valuesTable();
    return table ? valuesQuery(table, this.page().filter) : null;
  });
  private readonly chosen = computed(() => this.scope.choice().value);
  protected readonly label = computed(() => lookOf(this.valuesTable(), this.page().filter).label);
  protected readonly options = computed(() => filterOptions(this.there(), this.chosen()));
  private readonly there = computed(() =>
    this.values().rows.map((row) => String(row[this.page().filter] ?? '')),
  );
  /** What is chosen and has no rows; empty if there is nothing of the kind. */
  protected readonly gone = computed(() => {
    const chosen = this.chosen();
    const { known, total } = this.values();
    const hasAll = known && total <= MOST_VALUES;
    return hasAll && chosen !== ALL && !this.there().includes(chosen) ? chosen : '';
  });

  constructor() {
    effect(() => {
      const parts = this.link.given();
      const flow = this.flow();
      const column = this.filter();
      untracked(() => {
        const before = this.scope.choice().column;
        // A value of one column says nothing about another.
        const said = before === '' || before === column ? parts : {};
        const kept = this.link.changed() ? null : sessionStorage.getItem(keyOf(flow, column));
        this.scope.flow.set(flow);
        this.show(column, column === '' ? ALL : valueAt(said, kept), false);
      });
    });
    effect(() => {
      const led = this.led();
      if (led) {
        afterNextRender(() => this.goTo(led), { injector: this.injector });
      }
    });
    const observer = new ResizeObserver(([entry]) =>
      this.pageWidth.set(entry?.contentRect.width ?? 0),
    );
    observer.observe(this.host);
    inject(DestroyRef).onDestroy(() => observer.disconnect());
  }

  /** Makes the page about another value of its filter. */
  protected choose(value: string): void {
    this.show(this.filter(), value, true);
  }

  /** Lets a card fill the page, or no longer. */
  protected maximise({ name }: Card): void {
    this.maximised.update((now) => (now === null ? name : null));
    this.link.set({ [FILLED]: this.maximised() }, true);
  }

  /** Says in the address which form of a grid is shown; the first is not worth saying. */
  protected chooseForm({ name }: Card, form: string, first: string | undefined): void {
    this.say(name, { form: form === first ? null : form, look: {} }, true);
  }

  /** Says in the address how a grid looks; one that takes its place with other columns goes on so. */
  protected remember({ name }: Card, look: GridLook): void {
    this.say(name, { form: this.shown().get(name)?.form ?? null, look }, false);
  }

  /** Copies a link to a grid as it looks now. */
  protected copyLink({ name }: Card, look: GridLook): void {
    const form = this.shown().get(name)?.form ?? null;
    this.link.copy({ [CARD]: name, [gridPart(name)]: writeGrid({ form, look }) });
  }

  /** How a value of the filter stands in the list. */
  protected optionText(value: string): string {
    return value !== ALL && this.gone() === value ? `${value} (no rows)` : value;
  }

  /** Makes the page about a value. The address always says which, for links and views are made of it. */
  private show(column: string, value: string, adds: boolean): void {
    this.scope.choice.set({ column, value });
    if (column !== '') {
      sessionStorage.setItem(keyOf(this.flow(), column), value);
    }
    this.link.set({ [FILTER]: column === '' ? null : value }, adds);
  }

  /** What a grid is to look like; one that is made anew, with other columns, goes on as it was. */
  private linkOf(card: string, key: string): GridLink | undefined {
    const given = this.grids();
    const before = this.begun.get(card);
    if (before?.given === given && before.key === key) {
      return before.link;
    }
    const link = before?.given === given ? untracked(this.shown).get(card) : given.get(card);
    this.begun.set(card, { key, given, link });
    return link;
  }

  private say(card: string, grid: GridLink, adds: boolean): void {
    this.shown.update((grids) => new Map(grids).set(card, grid));
    this.link.set({ [gridPart(card)]: writeGrid(grid) }, adds);
  }

  private goTo(card: string): void {
    const cards = [...this.host.querySelectorAll<HTMLElement>('.card')];
    cards.find(({ dataset }) => dataset['testid'] === card)?.scrollIntoView({ block: 'nearest' });
  }

  private filtersOn(table: string) {
    return choiceFilters(this.scope.info(table), this.scope.choice());
  }
}

function areaOf({ row, column, span }: Place): string {
  return `${row} / ${column} / auto / span ${span}`;
}

function keyOf(flow: string, column: string): string {
  return `tidegrid.filter.${flow}.${column}`;
}

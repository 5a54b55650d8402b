import {
  ChangeDetectionStrategy,
  Component,
  computed,
  inject,
  input,
  linkedSignal,
} from '@angular/core';
import { anyTable } from '../cards/table-specs';
import { CatalogueService } from '../catalogue/catalogue.service';
import { LinkedPanelComponent } from './linked-panel.component';
import { NothingHereComponent } from './nothing-here.component';

/** A table of a flow, or none, that somebody asks for. */
interface Asked {
  readonly name: string;
  readonly ofFlow: boolean;
}

/** Any table by its name, with all its columns. */
@Component({
  selector: 'tg-table-page',
  imports: [LinkedPanelComponent, NothingHereComponent],
  template: `
    <h1 class="visually-hidden">{{ name() }}</h1>
    @if (removed()) {
      <tg-nothing-here data-testid="no-table" text="This table was removed." />
    } @else {
      <!-- As lists of one, so that another table is another panel. -->
      @for (spec of specs(); track spec.table) {
        <tg-linked-panel name="table" [title]="name()" [spec]="spec" />
      }
    }
  `,
  styles: `
    :host,
    tg-linked-panel {
      display: block;
      height: 100%;
    }
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class TablePage {
  private readonly catalogue = inject(CatalogueService);
  /** The table's name, from the address. */
  readonly name = input.required<string>();
  private readonly asked = computed<Asked>(() => ({
    name: this.name(),
    ofFlow: this.catalogue.tables().has(this.name()),
  }));
  /** Whether a flow has, or had, this table while somebody looks at it. */
  private readonly known = linkedSignal<Asked, boolean>({
    source: this.asked,
    computation: ({ name, ofFlow }, before) =>
      ofFlow || (before?.source.name === name && before.value),
  });
  protected readonly removed = computed(() => this.known() && !this.asked().ofFlow);
  /** As a list of one, once it is known what the table is. */
  protected readonly specs = computed(() =>
    this.catalogue.known() ? [anyTable(this.name(), this.catalogue.tables())] : [],
  );
}

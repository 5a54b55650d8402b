import { ChangeDetectionStrategy, Component, computed, inject, input } from '@angular/core';
import { anyTable } from '../cards/table-specs';
import { CatalogueService } from '../catalogue/catalogue.service';
import { PanelComponent } from '../panel/panel.component';

/** Any table by its name, with all its columns. */
@Component({
  selector: 'tg-table-page',
  imports: [PanelComponent],
  template: `
    <h1 class="visually-hidden">{{ name() }}</h1>
    <!-- Another grid for another table, and for the same one with other columns. -->
    @for (spec of specs(); track key(spec)) {
      <tg-panel name="table" [title]="name()" [spec]="spec" />
    }
  `,
  styles: `
    :host,
    tg-panel {
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
  /** As a list of one, once it is known what the table is. */
  protected readonly specs = computed(() =>
    this.catalogue.known() ? [anyTable(this.name(), this.catalogue.tables())] : [],
  );
  protected readonly key = JSON.stringify;
}

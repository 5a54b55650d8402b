import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import type { TableSpec } from '../live-table/table-spec';
import { PanelComponent } from '../panel/panel.component';
import { anyTable } from '../screens/any-table';

/** Any table by its name, with all its columns. */
@Component({
  selector: 'tg-table-page',
  imports: [PanelComponent],
  template: `<tg-panel name="table" [title]="name()" [spec]="spec()" />`,
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
  /** The table's name, from the address. */
  readonly name = input.required<string>();
  protected readonly spec = computed<TableSpec>(() => anyTable(this.name()));
}

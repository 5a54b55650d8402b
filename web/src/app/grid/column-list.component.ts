import {
  CdkMenu,
  CdkMenuGroup,
  CdkMenuItem,
  CdkMenuItemCheckbox,
  CdkMenuItemRadio,
} from '@angular/cdk/menu';
import { ChangeDetectionStrategy, Component, computed, inject, input, output } from '@angular/core';
import { DENSITIES } from './density';
import { DensityService } from './density.service';

/** A column and whether it is visible. */
export interface ColumnChoice {
  readonly name: string;
  readonly label: string;
  readonly visible: boolean;
}

/** Which columns are shown, and how close rows stand. */
@Component({
  selector: 'tg-column-list',
  imports: [CdkMenu, CdkMenuGroup, CdkMenuItem, CdkMenuItemCheckbox, CdkMenuItemRadio],
  template: `
    <div cdkMenu aria-label="Columns and rows">
      <div cdkMenuGroup aria-label="Columns">
        @for (choice of choices(); track choice.name) {
          <button
            type="button"
            class="item"
            cdkMenuItemCheckbox
            [cdkMenuItemChecked]="choice.visible"
            [cdkMenuItemDisabled]="choice.visible && last()"
            [attr.data-testid]="'column-' + choice.name"
            (cdkMenuItemTriggered)="hide.emit({ name: choice.name, hidden: choice.visible })"
          >
            <span class="mark" aria-hidden="true">{{ choice.visible ? '✓' : '' }}</span>
            {{ choice.label }}
          </button>
        }
      </div>
      <hr role="separator" />
      <button
        type="button"
        class="item"
        cdkMenuItem
        data-testid="columns-reset"
        (cdkMenuItemTriggered)="restore.emit()"
      >
        <span class="mark"></span>Columns as at first
      </button>
      <hr role="separator" />
      <div class="caption" aria-hidden="true">Rows of all tables</div>
      <div cdkMenuGroup aria-label="Rows of all tables">
        @for (item of densities; track item.density) {
          <button
            type="button"
            class="item"
            cdkMenuItemRadio
            [cdkMenuItemChecked]="density() === item.density"
            [attr.data-testid]="'density-' + item.density"
            (cdkMenuItemTriggered)="densityService.choose(item.density)"
          >
            <span class="mark" aria-hidden="true">{{ density() === item.density ? '●' : '' }}</span>
            {{ item.label }}
          </button>
        }
      </div>
    </div>
  `,
  styleUrl: './menu-items.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ColumnListComponent {
  /** All columns and whether they are visible. */
  readonly choices = input.required<readonly ColumnChoice[]>();
  /** The viewer hides or shows a column. */
  readonly hide = output<{ name: string; hidden: boolean }>();
  /** The viewer wants the columns as they were at first. */
  readonly restore = output();
  protected readonly densityService = inject(DensityService);
  protected readonly density = this.densityService.density;
  protected readonly densities = DENSITIES;
  /** Whether only one column is left, which stays. */
  protected readonly last = computed(
    () => this.choices().filter(({ visible }) => visible).length === 1,
  );
}

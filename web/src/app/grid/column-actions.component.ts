import { CdkMenu, CdkMenuItem } from '@angular/cdk/menu';
import { ChangeDetectionStrategy, Component, input, output } from '@angular/core';
import type { ColumnAction } from './grid-popup';
import type { ColumnView } from './grid-view';

/** What can be done to a column: sort, move, resize, freeze, hide. */
@Component({
  selector: 'tg-column-actions',
  imports: [CdkMenu, CdkMenuItem],
  template: `
    <div cdkMenu [attr.aria-label]="column().label">
      @for (item of sorts; track item.label) {
        <button
          type="button"
          class="item"
          cdkMenuItem
          [attr.data-testid]="item.testid"
          (cdkMenuItemTriggered)="act.emit(item.action)"
        >
          {{ item.label }}<span class="keys">{{ item.keys }}</span>
        </button>
      }
      <hr role="separator" />
      @for (item of places; track item.label) {
        <button
          type="button"
          class="item"
          cdkMenuItem
          [attr.data-testid]="item.testid"
          (cdkMenuItemTriggered)="act.emit(item.action)"
        >
          {{ item.label }}<span class="keys">{{ item.keys }}</span>
        </button>
      }
      <button
        type="button"
        class="item"
        cdkMenuItem
        data-testid="act-freeze"
        (cdkMenuItemTriggered)="act.emit({ kind: 'freeze', on: !column().frozen })"
      >
        {{ column().frozen ? 'Freeze only the columns before' : 'Freeze up to this column' }}
      </button>
      <button
        type="button"
        class="item"
        cdkMenuItem
        data-testid="act-hide"
        (cdkMenuItemTriggered)="act.emit({ kind: 'hide' })"
      >
        Hide
      </button>
    </div>
  `,
  styleUrl: './menu-items.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ColumnActionsComponent {
  /** The column. */
  readonly column = input.required<ColumnView>();
  /** The viewer does something to it. */
  readonly act = output<ColumnAction>();

  protected readonly sorts: readonly Item[] = [
    item('Sort ascending', 'act-sort-asc', { kind: 'sort', direction: 'asc', add: false }),
    item('Sort descending', 'act-sort-desc', { kind: 'sort', direction: 'desc', add: false }),
    item('Then by this, ascending', 'act-add-asc', { kind: 'sort', direction: 'asc', add: true }),
    item('Then by this, descending', 'act-add-desc', {
      kind: 'sort',
      direction: 'desc',
      add: true,
    }),
    item('Not sorted by this', 'act-sort-none', { kind: 'sort', direction: null, add: true }),
  ];

  protected readonly places: readonly Item[] = [
    item('Move left', 'act-left', { kind: 'move', by: -1 }, 'Ctrl ←'),
    item('Move right', 'act-right', { kind: 'move', by: 1 }, 'Ctrl →'),
    item('Wider', 'act-wider', { kind: 'width', by: 24 }, 'Shift →'),
    item('Narrower', 'act-narrower', { kind: 'width', by: -24 }, 'Shift ←'),
    item('Width as at first', 'act-width-reset', { kind: 'width', by: null }),
  ];
}

interface Item {
  readonly label: string;
  readonly testid: string;
  readonly action: ColumnAction;
  readonly keys: string;
}

function item(label: string, testid: string, action: ColumnAction, keys = ''): Item {
  return { label, testid, action, keys };
}

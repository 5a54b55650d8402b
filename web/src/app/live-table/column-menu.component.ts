import {
  ChangeDetectionStrategy,
  Component,
  computed,
  ElementRef,
  inject,
  input,
  output,
  signal,
  viewChild,
} from '@angular/core';

/** A column and whether it is visible. */
export interface ColumnChoice {
  readonly name: string;
  readonly label: string;
  readonly visible: boolean;
}

/** A button that opens the list of columns to show. */
@Component({
  selector: 'tg-column-menu',
  template: `
    <button
      #button
      type="button"
      class="button icon-button"
      data-testid="columns-button"
      aria-label="Choose columns"
      title="Choose columns"
      aria-haspopup="true"
      [attr.aria-expanded]="open()"
      (click)="open.set(!open())"
    >
      <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 3h10v10H3zM6.5 3v10M9.5 3v10" /></svg>
    </button>
    @if (open()) {
      <div class="menu" role="group" aria-label="Columns" data-testid="columns-menu">
        @for (choice of choices(); track choice.name) {
          <label>
            <input
              #box
              type="checkbox"
              [checked]="choice.visible"
              [disabled]="choice.visible && last()"
              [attr.data-testid]="'column-' + choice.name"
              (change)="hide.emit({ name: choice.name, hidden: !box.checked })"
            />
            {{ choice.label }}
          </label>
        }
      </div>
    }
  `,
  styleUrl: './column-menu.component.css',
  host: {
    '(keydown.escape)': 'close()',
    '(document:mousedown)': 'closeOutside($event)',
  },
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ColumnMenuComponent {
  private readonly element = inject<ElementRef<HTMLElement>>(ElementRef);
  /** All columns and whether they are visible. */
  readonly choices = input.required<readonly ColumnChoice[]>();
  /** The viewer hides or shows a column. */
  readonly hide = output<{ name: string; hidden: boolean }>();
  /** Whether the list is open. */
  protected readonly open = signal(false);
  /** Whether only one column is left, which stays. */
  protected readonly last = computed(
    () => this.choices().filter(({ visible }) => visible).length === 1,
  );
  private readonly button = viewChild.required<ElementRef<HTMLElement>>('button');

  /** Closes the list and goes back to where it was opened. */
  protected close(): void {
    if (this.open()) {
      this.open.set(false);
      this.button().nativeElement.focus();
    }
  }

  /** Closes the list when the viewer clicks elsewhere. */
  protected closeOutside(event: Event): void {
    if (this.open() && !this.element.nativeElement.contains(event.target as Node)) {
      this.open.set(false);
    }
  }
}

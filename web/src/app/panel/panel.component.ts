import { ChangeDetectionStrategy, Component, computed, input, output, signal } from '@angular/core';
import { LiveTableComponent } from '../live-table/live-table.component';
import type { TableSpec } from '../live-table/table-spec';

/** A live table in a frame with a title; with a second form it can be switched to the events. */
@Component({
  selector: 'tg-panel',
  imports: [LiveTableComponent],
  templateUrl: './panel.component.html',
  styleUrl: './panel.component.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class PanelComponent {
  /** The name under which tests find it. */
  readonly name = input.required<string>();
  /** What the viewer reads above the rows. */
  readonly title = input.required<string>();
  /** One line about what a row is. */
  readonly hint = input('');
  /** The table. */
  readonly spec = input.required<TableSpec>();
  /** The same as a list of events, if there is one. */
  readonly events = input<TableSpec>();
  /** Whether the panel fills the page; null hides the button. */
  readonly maximised = input<boolean | null>(null);
  /** The viewer wants the panel to fill the page, or no longer. */
  readonly maximise = output();

  /** Whether the events are shown. */
  protected readonly showsEvents = signal(false);
  /** The table on screen; as a list of one, so that another table is another grid. */
  protected readonly shown = computed(() => [
    this.showsEvents() ? (this.events() ?? this.spec()) : this.spec(),
  ]);
}

import {
  afterNextRender,
  ChangeDetectionStrategy,
  Component,
  computed,
  ElementRef,
  inject,
  Injector,
  input,
  output,
  signal,
} from '@angular/core';
import { LiveTableComponent } from '../live-table/live-table.component';
import type { Filter } from '../deephaven/query';
import type { TableSpec } from '../live-table/table-spec';
import type { PanelForm } from './panel-form';

/** A live table in a frame with a title; one of several forms can be switched between them. */
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
  /** The table, unless there are several forms. */
  readonly spec = input<TableSpec>();
  /** The forms to switch between; the first is shown at first. */
  readonly forms = input<readonly PanelForm[]>([]);
  /** Filters of the page that hold beside those of the viewer. */
  readonly filters = input<readonly Filter[]>([]);
  /** Whether the panel fills the page; null hides the button. */
  readonly maximised = input<boolean | null>(null);
  /** The viewer wants the panel to fill the page, or no longer. */
  readonly maximise = output();

  private readonly element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  private readonly injector = inject(Injector);
  private readonly chosen = signal<string | null>(null);
  /** The form on screen, if there are several. */
  protected readonly current = computed(
    () => this.forms().find(({ name }) => name === this.chosen()) ?? this.forms()[0],
  );
  /** The table on screen; as a list of one, so that another table is another grid. */
  protected readonly shown = computed(() => {
    const spec = this.current()?.spec ?? this.spec();
    return spec ? [spec] : [];
  });

  /** Shows another form; its buttons are new with its grid, and the focus stays on the pressed one. */
  protected choose(form: PanelForm): void {
    this.chosen.set(form.name);
    const pressed = () => this.element.querySelector<HTMLElement>('.modes [aria-pressed=true]');
    afterNextRender(() => pressed()?.focus(), { injector: this.injector });
  }
}

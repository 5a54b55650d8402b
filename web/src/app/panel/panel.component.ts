import {
  afterNextRender,
  ChangeDetectionStrategy,
  Component,
  computed,
  ElementRef,
  inject,
  Injector,
  input,
  linkedSignal,
  output,
} from '@angular/core';
import { LiveTableComponent } from '../grid/live-table.component';
import type { Filter } from '../deephaven/query';
import { PLAIN_LOOK, type GridLook } from '../grid/grid-look';
import type { TableSpec } from '../grid/table-spec';
import { CopyLinkButtonComponent } from './copy-link-button.component';
import type { PanelForm } from './panel-form';

/** A live table in a frame with a title; one of several forms can be switched between them. */
@Component({
  selector: 'tg-panel',
  imports: [CopyLinkButtonComponent, LiveTableComponent],
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
  /** The name of the form to show, now and whenever the page changes it; null leaves it alone. */
  readonly form = input<string | null>(null);
  /** The viewer has chosen another form; it has a look of its own. */
  readonly formChange = output<string>();
  /** How the grid is to look, now and whenever the page changes it; null leaves it alone. */
  readonly look = input<GridLook | null>(null);
  /** The viewer has changed the look. */
  readonly lookChange = output<GridLook>();
  /** Whether there is a button that copies a link; the page must listen to `copyLink` then. */
  readonly linkable = input(false);
  /** The viewer wants a link to that look. */
  readonly copyLink = output<GridLook>();
  /** Whether rows can be saved as files. */
  readonly exports = input(true);

  private readonly element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  private readonly injector = inject(Injector);
  // With each look that the page gives, also the form that it gave before.
  private readonly chosen = linkedSignal({
    source: () => ({ form: this.form(), look: this.look() }),
    computation: ({ form }) => form,
  });
  /** The look of the grid on screen: the page's, or a plain one after another form was chosen. */
  protected readonly given = linkedSignal(() => this.look());
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
    if (form.name !== this.current()?.name) {
      this.chosen.set(form.name);
      this.given.set(this.look() && PLAIN_LOOK);
      this.formChange.emit(form.name);
      this.lookChange.emit(PLAIN_LOOK);
    }
    const pressed = () => this.element.querySelector<HTMLElement>('.modes [aria-pressed=true]');
    afterNextRender(() => pressed()?.focus(), { injector: this.injector });
  }
}

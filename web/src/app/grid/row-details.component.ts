import {
  afterNextRender,
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  type ElementRef,
  inject,
  input,
  output,
  signal,
  viewChild,
} from '@angular/core';
import { CatalogueService } from '../catalogue/catalogue.service';
import { copyText } from '../session/copy-text';
import { HubService } from '../session/hub.service';
import type { DetailsTarget } from './details-target';
import { RawRecordComponent } from './raw-record.component';
import { placeOf, samePlace } from './record-place';
import { RowDetails, type DetailsView } from './row-details';
import type { TableSpec } from './table-spec';

const NOTHING: DetailsView = {
  name: '',
  fields: [],
  record: [],
  origin: null,
  message: 'Loading…',
  gone: false,
};

/** One row beside its grid, with all columns, as it changes. */
@Component({
  selector: 'tg-row-details',
  imports: [RawRecordComponent],
  templateUrl: './row-details.component.html',
  styleUrl: './row-details.component.css',
  host: { '(keydown.escape)': 'leave($event)' },
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class RowDetailsComponent {
  private readonly hub = inject(HubService);
  private readonly catalogue = inject(CatalogueService);
  private readonly close = viewChild.required<ElementRef<HTMLElement>>('close');
  private details: RowDetails | null = null;
  /** How the table is shown. */
  readonly spec = input.required<TableSpec>();
  /** The row. */
  readonly target = input.required<DetailsTarget>();
  /** The viewer has read enough. */
  readonly closed = output();
  protected readonly view = signal(NOTHING);
  /** Where the record of the row stands in Kafka; null if that is not certain. */
  protected readonly place = computed(
    () => placeOf(this.view().origin, this.spec().together, this.catalogue.flows()),
    { equal: samePlace },
  );
  /** What became of the last attempt to copy. */
  protected readonly copied = signal('');

  constructor() {
    effect((onCleanup) => {
      this.copied.set('');
      const changed = (view: DetailsView) => this.view.set(view);
      const details = new RowDetails(this.spec(), this.target(), this.hub.tables, changed);
      this.details = details;
      onCleanup(() => details.close());
    });
    afterNextRender(() => this.close().nativeElement.focus({ preventScroll: true }));
  }

  /** Copies the row as JSON. */
  protected async copy(): Promise<void> {
    const done = await copyText(this.details?.json() ?? '');
    this.copied.set(done ? 'Copied.' : 'The browser does not allow to copy.');
  }

  /** Closes it, and nothing else that listens to the key. */
  protected leave(event: Event): void {
    event.stopPropagation();
    this.closed.emit();
  }
}

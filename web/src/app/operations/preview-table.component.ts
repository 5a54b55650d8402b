import { ChangeDetectionStrategy, Component, computed, inject } from '@angular/core';
import { countText } from '../format/number-text';
import { CardComponent } from '../panel/card.component';
import { noteOf } from '../live-rows/live-rows';
import { OperationsData } from './operations-data.service';
import { changeText, falls, newestPreview, type Change } from './preview';
import { StateBadgeComponent } from './state-badge.component';

/** Rows and keys of each view, old against new, of the chosen flow's last generation. */
@Component({
  selector: 'tg-preview-table',
  imports: [CardComponent, StateBadgeComponent],
  templateUrl: './preview-table.component.html',
  styleUrl: './preview-table.component.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class PreviewTableComponent {
  private readonly data = inject(OperationsData);
  protected readonly changeText = changeText;
  protected readonly falls = falls;
  private readonly previews = computed(() =>
    newestPreview(this.data.previews().rows, this.data.flow()),
  );
  protected readonly views = computed(() =>
    this.previews().map(({ view, rows, keys }) => ({
      view,
      changes: [
        { name: 'rows', change: rows },
        { name: 'keys', change: keys },
      ],
    })),
  );
  protected readonly generation = computed(() => {
    const newest = this.previews()[0];
    return this.data
      .generations()
      .find(({ flow, generation }) => flow === newest?.flow && generation === newest.generation);
  });
  protected readonly note = computed(() =>
    noteOf(
      { ...this.data.previews(), rows: this.previews() },
      'No swap to show yet. While one is built, its rows and keys stand here beside the live ones.',
    ),
  );

  /** The numbers of a change. */
  protected numbers({ before, after }: Change): string {
    return `${countText(before)} → ${countText(after)}`;
  }
}

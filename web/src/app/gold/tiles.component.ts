import { ChangeDetectionStrategy, Component, computed, inject } from '@angular/core';
import { noteOf } from '../live-rows/live-rows';
import { GoldData } from './gold-data.service';
import { SPARK } from './sparkline';
import { tilesOf } from './tiles';

/** The four figures at the top, each with its trend. */
@Component({
  selector: 'tg-tiles',
  templateUrl: './tiles.component.html',
  styleUrl: './tiles.component.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class TilesComponent {
  private readonly data = inject(GoldData);
  protected readonly box = `0 0 ${SPARK.width} ${SPARK.height}`;
  protected readonly tiles = computed(() =>
    tilesOf({
      totals: this.data.sums(),
      missing: noteOf(this.data.totals(), 'No positions yet') ?? 'No rows now',
      trend: this.data.trend().rows,
      now: this.data.now(),
      ...this.data.past(),
    }),
  );
}

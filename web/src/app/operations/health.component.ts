import { ChangeDetectionStrategy, Component, computed, inject } from '@angular/core';
import { RouterLink } from '@angular/router';
import { EMPTY, formatCell } from '../format/cell-text';
import { tookText } from '../format/time-text';
import { noteOf } from '../live-rows/live-rows';
import { CardComponent } from '../panel/card.component';
import { CatalogueService } from '../catalogue/catalogue.service';
import { partsOf } from '../freshness/figures';
import { generationsHealth, type GenerationHealth } from './health';
import { OperationsData } from './operations-data.service';
import { StateBadgeComponent } from './state-badge.component';

/** How many partitions and reasons are shown of a generation; the others are only counted. */
const MOST = 8;

/** What the parts have counted: events, lag, rejects, restarts, and how long the last swap took. */
@Component({
  selector: 'tg-health',
  imports: [CardComponent, RouterLink, StateBadgeComponent],
  templateUrl: './health.component.html',
  styleUrl: './health.component.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class HealthComponent {
  private readonly data = inject(OperationsData);
  private readonly catalogue = inject(CatalogueService);
  protected readonly note = computed(() => noteOf(this.data.health(), 'No part has reported yet.'));
  protected readonly parts = computed(() => partsOf(this.data.health().rows));
  protected readonly generations = computed(() =>
    generationsHealth(this.data.health().rows).map((one) => ({
      ...one,
      title: this.catalogue.titleOf(one.flow),
      figures: figuresOf(one),
      partitions: one.partitions.slice(0, MOST),
      morePartitions: Math.max(one.partitions.length - MOST, 0),
      // With one topic there is nothing to tell apart.
      severalTopics: new Set(one.partitions.map(({ topic }) => topic)).size > 1,
      reasons: one.reasons.slice(0, MOST),
      moreReasons: Math.max(one.reasons.length - MOST, 0),
    })),
  );

  /** A whole number, or a dash for none. */
  protected readonly whole = whole;
}

function figuresOf(one: GenerationHealth) {
  const { swap } = one;
  return [
    { name: 'events', text: whole(one.events), warn: false, title: 'Offsets of the sources read' },
    {
      name: 'per second',
      text: one.perSecond === null ? EMPTY : formatCell(Math.round(one.perSecond), 'integer'),
      warn: false,
      title: 'Events per second, between the last two reports',
    },
    { name: 'lag', text: whole(one.lag), warn: (one.lag ?? 0) > 0, title: 'Records not read yet' },
    {
      name: 'rejects',
      text: whole(one.rejects),
      warn: false,
      title: 'Records that cannot be used',
    },
    {
      name: 'rows written',
      text: whole(one.rowsWritten),
      warn: false,
      title: 'Rows that the pipeline wrote to the changelogs',
    },
    {
      name: 'restarts',
      text: whole(one.restarts),
      warn: (one.restarts ?? 0) > 0,
      title: 'Times that the query ended and was started again',
    },
    {
      name: 'last swap',
      text:
        swap === null ? EMPTY : `${tookText(swap.catchUp * 1000)} + ${tookText(swap.flip * 1000)}`,
      warn: false,
      title:
        swap === null
          ? 'Nothing has taken over yet'
          : `Time that generation ${swap.generation} took to catch up, and then to be live`,
    },
  ];
}

function whole(value: number | null): string {
  return formatCell(value, 'integer');
}

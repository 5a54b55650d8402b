import { ChangeDetectionStrategy, Component, computed, inject } from '@angular/core';
import { RouterLink } from '@angular/router';
import { titleOf } from '../format/cell-text';
import { CardComponent } from '../panel/card.component';
import { catchUpOf } from '../freshness/catch-up';
import { CatchUpComponent } from './catch-up.component';
import type { Generation, Step } from './generations';
import { noteOf } from '../live-rows/live-rows';
import { ageText, momentText } from '../format/time-text';
import { OperationsData } from './operations-data.service';
import { StateBadgeComponent } from './state-badge.component';

/** How many generations are shown. */
const MOST = 50;

/** The generations and what became of them, newest first. */
@Component({
  selector: 'tg-timeline',
  imports: [CardComponent, CatchUpComponent, RouterLink, StateBadgeComponent],
  templateUrl: './timeline.component.html',
  styleUrl: './timeline.component.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class TimelineComponent {
  private readonly data = inject(OperationsData);
  protected readonly generations = computed(() => this.data.generations().slice(0, MOST));
  protected readonly note = computed(() =>
    noteOf(this.data.receipts(), 'No generation has been built yet.'),
  );

  /** How far a generation has come, if it is being built. */
  protected catchUp({ flow, generation }: Generation) {
    return catchUpOf(this.data.catchUps().rows, flow, generation);
  }

  /** What it was made of, in a line. */
  protected made({ topics, join, starting }: Generation): string {
    const parts = [topics.join(', ')];
    if (topics.length > 1) {
      parts.push(`${join} join`);
    }
    return [...parts, `from ${starting}`].join(' · ');
  }

  /** When a step was: by the clock for the first, after the one before for the others. */
  protected when({ at, after }: Step): string {
    return after === null ? momentText(at, Date.now()) : `+${ageText(after)}`;
  }

  /** The date and time of a step. */
  protected date({ at }: Step): string {
    return titleOf(at, 'time');
  }

  /** How long the take-over took. */
  protected took(milliseconds: number): string {
    return `live in ${ageText(milliseconds)}`;
  }
}

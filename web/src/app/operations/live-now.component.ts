import { ChangeDetectionStrategy, Component, computed, inject } from '@angular/core';
import { titleOf } from '../format/cell-text';
import { CardComponent } from '../panel/card.component';
import { noteOf } from '../live-rows/live-rows';
import { ageText, momentText } from '../format/time-text';
import { OperationsData } from './operations-data.service';
import { RequestsService } from './requests.service';
import { rollbackOffer } from './rollback';
import { StateBadgeComponent } from './state-badge.component';

/** What is live of each flow, and the way back to what was live before. */
@Component({
  selector: 'tg-live-now',
  imports: [CardComponent, StateBadgeComponent],
  templateUrl: './live-now.component.html',
  styleUrl: './live-now.component.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class LiveNowComponent {
  private readonly data = inject(OperationsData);
  private readonly log = inject(RequestsService).log;
  protected readonly note = computed(() =>
    noteOf(
      { ...this.data.statuses(), rows: this.data.flows() },
      'Nothing is live yet: no generation has been built.',
    ),
  );
  protected readonly flows = computed(() => {
    const now = this.data.now();
    return this.data.flows().map((live) => ({
      ...live,
      sinceText: live.since === null ? 'not yet' : momentText(live.since, now),
      sinceTitle: titleOf(live.since, 'time'),
      age: live.since === null ? '' : ageText(now - live.since),
      offer: rollbackOffer(this.data.generations(), live.flow, live.lingerSeconds, now),
      ready: this.isReady(live.flow),
    }));
  });

  /** Goes back to the generation that lingers. */
  protected rollBack(flow: string): void {
    void this.log.send(flow, 'rollback', { action: 'rollback', flow });
  }

  /** Whether a rollback may be sent: a second one on its heels would undo the first. */
  private isReady(flow: string): boolean {
    const { state, overdue } = this.data.stage(flow);
    return this.data.connected() && (state !== 'sent' || overdue);
  }
}

import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import type { CatchUp } from '../freshness/catch-up';
import { CatchUpComponent } from './catch-up.component';
import type { Stage } from './request-stage';

const STEPS = [
  { state: 'sent', label: 'Sent' },
  { state: 'building', label: 'Building' },
  { state: 'caught-up', label: 'Caught up' },
  { state: 'live', label: 'Live' },
] as const;

/** What has become of the viewer's last request. */
@Component({
  selector: 'tg-request-status',
  imports: [CatchUpComponent],
  templateUrl: './request-status.component.html',
  styleUrl: './request-status.component.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class RequestStatusComponent {
  /** How far it has come. */
  readonly stage = input.required<Stage>();
  /** How far its generation has caught up, while it is being built. */
  readonly catchUp = input.required<CatchUp | null>();
  /** The steps with those behind it marked; none when there is nothing to follow, or it ended. */
  protected readonly steps = computed(() => {
    const { state, builds } = this.stage();
    const steps = STEPS.filter((step) => builds || step.state !== 'building');
    const reached = steps.findIndex((step) => step.state === state);
    return reached < 0 ? [] : steps.map((step, index) => ({ ...step, done: index <= reached }));
  });
}

import { ChangeDetectionStrategy, Component, inject } from '@angular/core';
import { PulseService } from '../status-bar/pulse.service';
import { FLOW_SPECS } from './flow-specs';
import { LiveNowComponent } from './live-now.component';
import { OperationsData } from './operations-data.service';
import { PreviewTableComponent } from './preview-table.component';
import { SwapFormComponent } from './swap-form.component';
import { TimelineComponent } from './timeline.component';

/** What is live, how to swap it, what a swap would change, and what became of every one so far. */
@Component({
  selector: 'tg-operations-page',
  imports: [LiveNowComponent, PreviewTableComponent, SwapFormComponent, TimelineComponent],
  template: `
    <h1 class="visually-hidden">Operations</h1>
    @if (!data.connected()) {
      <p class="banner" role="status" data-testid="operations-stale">
        Reconnecting. What you see is how things were before.
      </p>
    }
    <div class="desk">
      <div class="stack">
        <tg-live-now />
        @for (spec of specs; track spec.flow) {
          <tg-swap-form [spec]="spec" />
        }
      </div>
      <tg-preview-table />
    </div>
    <tg-timeline />
  `,
  styleUrl: './operations.page.css',
  providers: [OperationsData],
  host: { '[class.stale]': '!data.connected()' },
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class OperationsPage {
  protected readonly data = inject(OperationsData);
  protected readonly specs = FLOW_SPECS;

  constructor() {
    // There is no grid here whose rows could be new or old.
    inject(PulseService).pulse.sawNothing();
  }
}

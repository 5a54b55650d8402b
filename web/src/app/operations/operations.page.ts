import { ChangeDetectionStrategy, Component, computed, inject } from '@angular/core';
import { CatalogueService } from '../catalogue/catalogue.service';
import { AddTableComponent } from './add-table/add-table.component';
import { HealthComponent } from './health.component';
import { LiveNowComponent } from './live-now.component';
import { OperationsData } from './operations-data.service';
import { PreviewTableComponent } from './preview-table.component';
import { SwapFormComponent } from './swap-form.component';
import { TimelineComponent } from './timeline.component';

/** What is live and how it does, how to swap it, what a swap would change, and what became of each. */
@Component({
  selector: 'tg-operations-page',
  imports: [
    AddTableComponent,
    HealthComponent,
    LiveNowComponent,
    PreviewTableComponent,
    SwapFormComponent,
    TimelineComponent,
  ],
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
        <tg-add-table />
        <div class="flows" role="group" aria-label="Flow to swap">
          @for (spec of specs(); track spec.flow) {
            <button
              type="button"
              class="button"
              [attr.data-testid]="'choose-' + spec.flow"
              [attr.aria-pressed]="spec.flow === data.flow()"
              (click)="data.choose(spec.flow)"
            >
              {{ spec.title }}
            </button>
          }
        </div>
        <!-- As a list of one, so that another flow is another form. -->
        @for (spec of chosen(); track spec.flow) {
          <tg-swap-form [spec]="spec" />
        }
      </div>
      <tg-preview-table />
    </div>
    <div class="side">
      <tg-health />
      <tg-timeline />
    </div>
  `,
  styleUrl: './operations.page.css',
  providers: [OperationsData],
  host: { '[class.stale]': '!data.connected()' },
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class OperationsPage {
  protected readonly data = inject(OperationsData);
  protected readonly specs = inject(CatalogueService).flows;
  protected readonly chosen = computed(() =>
    this.specs().filter(({ flow }) => flow === this.data.flow()),
  );
}

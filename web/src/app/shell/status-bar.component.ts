import {
  ChangeDetectionStrategy,
  Component,
  computed,
  DestroyRef,
  inject,
  signal,
} from '@angular/core';
import { CatalogueService } from '../catalogue/catalogue.service';
import type { FlowInfo } from '../catalogue/flows';
import { countText } from '../format/number-text';
import { ageText, millisecondsText } from '../format/time-text';
import { gravestFirst, type FlowAge } from '../freshness/flow-age';
import { FreshnessService } from '../freshness/freshness.service';
import { PulseService } from '../freshness/pulse.service';
import { HubService } from '../session/hub.service';

/** How often the figures are read, in milliseconds. */
const READ_EVERY = 500;

/** The connection, the flows, how current they are, and how fast the page is. */
@Component({
  selector: 'tg-status-bar',
  templateUrl: './status-bar.component.html',
  styleUrl: './status-bar.component.css',
  host: {
    role: 'contentinfo',
    'data-testid': 'status-bar',
    '[attr.data-connection]': 'connection().kind',
    '[attr.data-p50]': 'figures().p50',
    '[attr.data-p99]': 'figures().p99',
    '[attr.data-samples]': 'figures().count',
    '[attr.data-age]': 'figures().age',
  },
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class StatusBarComponent {
  private readonly hub = inject(HubService);
  private readonly catalogue = inject(CatalogueService);
  private readonly freshness = inject(FreshnessService);
  private readonly pulse = inject(PulseService).pulse;
  private readonly now = signal(Date.now());
  protected readonly connection = this.hub.connection;
  protected readonly flows = computed(() =>
    gravestFirst(
      this.catalogue.flows().map((flow) => ({ ...flow, age: this.freshness.of(flow.flow) })),
    ).map((flow) => ({ ...flow, detail: detailOf(flow) })),
  );
  /** Of how many flows there is something to say. */
  protected readonly told = computed(() => this.flows().filter(({ age }) => age.text).length);
  protected readonly figures = computed(() => this.pulse.read(this.now()));
  /** The connection in words. */
  protected readonly connectionText = computed(() => {
    const connection = this.connection();
    switch (connection.kind) {
      case 'connected':
        return 'Connected';
      case 'connecting':
        return 'Connecting…';
      case 'signed-out':
        return 'Signed out';
      case 'reconnecting':
        return 'Reconnecting…';
    }
  });
  /** When the next attempt is; apart from the words, so that no screen reader counts along. */
  protected readonly retryText = computed(() => {
    const connection = this.connection();
    const seconds =
      connection.kind === 'reconnecting' ? Math.ceil((connection.retryAt - this.now()) / 1000) : 0;
    return seconds > 0 ? `in ${seconds} s` : '';
  });

  constructor() {
    const timer = setInterval(() => this.now.set(Date.now()), READ_EVERY);
    inject(DestroyRef).onDestroy(() => clearInterval(timer));
  }

  protected readonly count = countText;

  /** A latency in whole milliseconds. */
  protected milliseconds(value: number | null): string {
    return value === null ? '–' : millisecondsText(value);
  }

  /** How old the newest row is. */
  protected age(value: number | null): string {
    return value === null ? '–' : `${ageText(value)} ago`;
  }
}

/** All that is known of a flow, one thing in a line: the bar has room for little. */
function detailOf({
  generation,
  state,
  sources,
  age,
}: FlowInfo & { readonly age: FlowAge }): string {
  const topics = sources.map(({ name, topic }) => `${name}: ${topic}`);
  return [age.text, `generation ${generation}: ${state}`, ...topics].filter(Boolean).join('\n');
}

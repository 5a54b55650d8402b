import {
  ChangeDetectionStrategy,
  Component,
  computed,
  DestroyRef,
  inject,
  signal,
} from '@angular/core';
import { formatAge } from '../live-table/format';
import { HubService } from '../shell/hub.service';
import { readFlows, STATUS_TABLE, type FlowStatus } from './flow-status';
import { PulseService } from './pulse.service';

/** How often the figures are read, in milliseconds. */
const READ_EVERY = 500;

/** The connection, the flows, and how fresh what you see is. */
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
    '[attr.data-generation]': 'customers()?.generation',
  },
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class StatusBarComponent {
  private readonly hub = inject(HubService);
  private readonly pulse = inject(PulseService).pulse;
  private readonly now = signal(Date.now());
  protected readonly connection = this.hub.connection;
  protected readonly flows = signal<readonly FlowStatus[]>([]);
  protected readonly customers = computed(() =>
    this.flows().find(({ flow }) => flow === 'customers'),
  );
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
    const subscription = this.hub.tables.subscribe(
      { table: STATUS_TABLE, sort: [], filters: [] },
      { first: 0, last: 9 },
      { snapshot: (snapshot) => this.flows.set(readFlows(snapshot)), state: () => undefined },
    );
    inject(DestroyRef).onDestroy(() => {
      clearInterval(timer);
      subscription.unsubscribe();
    });
  }

  /** A latency in whole milliseconds. */
  protected milliseconds(value: number | null): string {
    return value === null ? '–' : `${Math.round(value).toLocaleString('en-US')} ms`;
  }

  /** How old the newest row is. */
  protected age(value: number | null): string {
    return value === null ? '–' : `${formatAge(value)} ago`;
  }
}

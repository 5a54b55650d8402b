import { ChangeDetectionStrategy, Component, DestroyRef, inject, signal } from '@angular/core';
import { RouterLink, RouterLinkActive, RouterOutlet } from '@angular/router';
import { StatusBarComponent } from '../status-bar/status-bar.component';
import { HubService } from './hub.service';
import { LogoComponent } from './logo.component';
import { ThemeService } from './theme.service';

/** What stays around every page: navigation above, status bar below. */
@Component({
  selector: 'tg-shell',
  imports: [LogoComponent, RouterLink, RouterLinkActive, RouterOutlet, StatusBarComponent],
  templateUrl: './shell.component.html',
  styleUrl: './shell.component.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ShellComponent {
  protected readonly hub = inject(HubService);
  protected readonly themes = inject(ThemeService);
  /** How many rejects there are. */
  protected readonly rejects = signal(0);

  constructor() {
    const subscription = this.hub.tables.subscribe(
      { table: 'rejects', sort: [], filters: [], columns: ['flow'] },
      { first: 0, last: 0 },
      { snapshot: ({ total }) => this.rejects.set(total), state: () => undefined },
    );
    inject(DestroyRef).onDestroy(() => subscription.unsubscribe());
  }
}

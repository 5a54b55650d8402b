import { ChangeDetectionStrategy, Component, DestroyRef, inject, signal } from '@angular/core';
import { RouterLink, RouterLinkActive, RouterOutlet } from '@angular/router';
import { CatalogueService } from '../catalogue/catalogue.service';
import { countText } from '../format/number-text';
import { HubService } from '../session/hub.service';
import { ThemeService } from '../session/theme.service';
import { LogoComponent } from './logo.component';
import { StatusBarComponent } from './status-bar.component';
import { ViewsMenuComponent } from './views-menu.component';

/** What stays around every page: navigation above, status bar below. */
@Component({
  selector: 'tg-shell',
  imports: [
    LogoComponent,
    RouterLink,
    RouterLinkActive,
    RouterOutlet,
    StatusBarComponent,
    ViewsMenuComponent,
  ],
  templateUrl: './shell.component.html',
  styleUrl: './shell.component.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ShellComponent {
  protected readonly hub = inject(HubService);
  protected readonly catalogue = inject(CatalogueService);
  protected readonly themes = inject(ThemeService);
  /** How many rejects there are. */
  protected readonly rejects = signal(0);
  protected readonly count = countText;

  constructor() {
    const subscription = this.hub.tables.subscribe(
      { table: 'rejects', sort: [], filters: [], columns: ['flow'] },
      { first: 0, last: 0 },
      { snapshot: ({ total }) => this.rejects.set(total), state: () => undefined },
    );
    inject(DestroyRef).onDestroy(() => subscription.unsubscribe());
  }
}

import { ChangeDetectionStrategy, Component, inject } from '@angular/core';
import { LoginComponent } from './login/login.component';
import { ReloadComponent } from './pages/reload.component';
import { HubService } from './session/hub.service';
import { ShellComponent } from './shell/shell.component';

/** The whole page: the log-in until there is a session, then the shell. */
@Component({
  selector: 'tg-root',
  imports: [LoginComponent, ReloadComponent, ShellComponent],
  template: `
    <!-- Loaded while the viewer types the key. -->
    @defer (when hub.signedIn(); prefetch on idle) {
      @if (hub.signedIn()) {
        <tg-shell />
      }
    } @error {
      <tg-reload />
    }
    @if (!hub.signedIn()) {
      <tg-login />
    }
  `,
  styles: `
    :host {
      display: block;
      height: 100%;
    }
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class AppComponent {
  protected readonly hub = inject(HubService);
}

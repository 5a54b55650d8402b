import { ChangeDetectionStrategy, Component, inject } from '@angular/core';
import { LoginComponent } from './login/login.component';
import { HubService } from './session/hub.service';
import { ShellComponent } from './shell/shell.component';

/** The whole page: the log-in until there is a session, then the shell. */
@Component({
  selector: 'tg-root',
  imports: [LoginComponent, ShellComponent],
  template: `
    @if (hub.signedIn()) {
      <tg-shell />
    } @else {
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

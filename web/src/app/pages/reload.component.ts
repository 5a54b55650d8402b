import { ChangeDetectionStrategy, Component } from '@angular/core';
import { reloadPage } from '../session/reload-page';

/** In place of a part that could not be loaded: reloads the page if the server has a newer one. */
@Component({
  selector: 'tg-reload',
  template: `<p role="status">This part could not be loaded. Reload the page.</p>`,
  styles: `
    :host {
      display: grid;
      place-items: center;
      height: 100%;
      color: var(--text-2);
    }
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ReloadComponent {
  constructor() {
    void reloadPage(location.hash.slice(1), window);
  }
}

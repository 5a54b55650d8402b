import {
  afterNextRender,
  ChangeDetectionStrategy,
  Component,
  type ElementRef,
  inject,
  signal,
  viewChild,
} from '@angular/core';
import { reasonOf, WrongKeyError } from '../deephaven/errors';
import { HubService } from '../session/hub.service';
import { LogoComponent } from '../shell/logo.component';
import { ThemeService } from '../session/theme.service';

/** Asks for the key. It goes to the hub and, if the viewer ticks so, to this tab's storage. */
@Component({
  selector: 'tg-login',
  imports: [LogoComponent],
  templateUrl: './login.component.html',
  styleUrl: './login.component.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class LoginComponent {
  private readonly hub = inject(HubService);
  private readonly key = viewChild.required<ElementRef<HTMLInputElement>>('key');
  /** What went wrong with the last attempt. */
  protected readonly error = signal<string | null>(null);
  /** Whether an attempt is under way. */
  protected readonly busy = signal(false);

  constructor() {
    inject(ThemeService);
    const connection = this.hub.connection();
    if (connection.kind === 'signed-out') {
      this.error.set(connection.reason);
    }
    const remembered = this.hub.rememberedKey;
    afterNextRender(() => {
      this.key().nativeElement.focus();
      this.hub.prepare();
      if (remembered !== null && this.error() === null) {
        void this.signIn(remembered, true);
      }
    });
  }

  /** Logs in, or says why not. */
  protected async signIn(key: string, remember: boolean): Promise<void> {
    if (this.busy()) {
      return;
    }
    if (key === '') {
      this.error.set('Type the key first.');
      return;
    }
    this.busy.set(true);
    this.error.set(null);
    try {
      await this.hub.signIn(key, remember);
    } catch (error) {
      this.error.set(
        error instanceof WrongKeyError ? 'Wrong key. Check it and try again.' : reasonOf(error),
      );
      this.key().nativeElement.select();
    } finally {
      this.busy.set(false);
    }
  }
}

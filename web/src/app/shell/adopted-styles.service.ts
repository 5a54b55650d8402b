import {
  DOCUMENT,
  inject,
  Injectable,
  type OnDestroy,
  type Provider,
  ɵSHARED_STYLES_HOST as STYLES_HOST,
} from '@angular/core';
import type { ɵSharedStylesHost as SharedStylesHost } from '@angular/platform-browser';

/** What Angular calls. */
type Used = 'addStyles' | 'removeStyles' | 'addHost' | 'removeHost';

interface Adopted {
  readonly sheet: CSSStyleSheet;
  users: number;
}

/**
 * Gives the page the styles of its components as style sheet objects. Angular's own way, `<style>`
 * elements, would need `'unsafe-inline'` in the content security policy: a nonce takes a server
 * that makes a new one for each answer.
 */
@Injectable()
class AdoptedStyles implements Pick<SharedStylesHost, Used>, OnDestroy {
  private readonly page = inject(DOCUMENT);
  private readonly adopted = new Map<string, Adopted>();

  addStyles(styles: string[]): void {
    for (const text of styles) {
      const known = this.adopted.get(text);
      if (known) {
        known.users++;
        continue;
      }
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      this.adopted.set(text, { sheet, users: 1 });
      this.page.adoptedStyleSheets.push(sheet);
    }
  }

  removeStyles(styles: string[]): void {
    for (const text of styles) {
      const known = this.adopted.get(text);
      if (known && --known.users === 0) {
        this.adopted.delete(text);
        this.drop(known.sheet);
      }
    }
  }

  /** All styles are the document's: no component has a shadow root. */
  addHost(): void {
    return;
  }

  removeHost(): void {
    return;
  }

  ngOnDestroy(): void {
    this.adopted.forEach(({ sheet }) => this.drop(sheet));
    this.adopted.clear();
  }

  private drop(sheet: CSSStyleSheet): void {
    this.page.adoptedStyleSheets = this.page.adoptedStyleSheets.filter((each) => each !== sheet);
  }
}

/** Lets components have styles under a policy that allows no inline ones. */
export function provideAdoptedStyles(): Provider {
  return { provide: STYLES_HOST, useClass: AdoptedStyles };
}

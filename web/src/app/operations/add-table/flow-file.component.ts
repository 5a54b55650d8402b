import {
  ChangeDetectionStrategy,
  Component,
  type ElementRef,
  input,
  linkedSignal,
  viewChild,
} from '@angular/core';
import { copyText } from '../../session/copy-text';

/** The text of the flow file, to copy. */
@Component({
  selector: 'tg-flow-file',
  template: `
    <header>
      <h3>
        Flow file <span>{{ name() }}.toml</span>
      </h3>
      <button type="button" class="button" data-testid="flow-file-copy" (click)="copy()">
        {{ copied() ? 'Copied' : 'Copy' }}
      </button>
    </header>
    <pre #shown tabindex="0" aria-label="Flow file" data-testid="flow-file">{{ text() }}</pre>
  `,
  styleUrl: './flow-file.component.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class FlowFileComponent {
  /** What is in it. */
  readonly text = input.required<string>();
  /** The name of the flow, and so of the file. */
  readonly name = input.required<string>();

  private readonly shown = viewChild.required<ElementRef<HTMLElement>>('shown');
  /** Whether this very text was copied. */
  protected readonly copied = linkedSignal({ source: this.text, computation: () => false });

  /** Puts the text on the clipboard; without the right to do so it can still be selected. */
  protected async copy(): Promise<void> {
    const text = this.text();
    if (await copyText(text)) {
      this.copied.set(text === this.text());
    } else {
      getSelection()?.selectAllChildren(this.shown().nativeElement);
    }
  }
}

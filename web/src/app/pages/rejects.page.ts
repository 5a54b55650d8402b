import { ChangeDetectionStrategy, Component } from '@angular/core';
import { REJECTS } from '../cards/table-specs';
import { LinkedPanelComponent } from './linked-panel.component';

/** The input records that could not be used: why, where they came from, when, and what they said. */
@Component({
  selector: 'tg-rejects-page',
  imports: [LinkedPanelComponent],
  template: `
    <h1 class="visually-hidden">Rejects</h1>
    <tg-linked-panel
      name="rejects"
      title="Rejects"
      hint="Input records that could not be used"
      [spec]="spec"
    />
  `,
  styles: `
    :host,
    tg-linked-panel {
      display: block;
      height: 100%;
    }
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class RejectsPage {
  protected readonly spec = REJECTS;
}

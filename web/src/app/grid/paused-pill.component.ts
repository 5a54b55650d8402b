import { ChangeDetectionStrategy, Component, computed, input, output } from '@angular/core';
import { manyText } from '../format/number-text';
import { secondText } from '../format/time-text';

/** Says that a grid is paused: since when, and what waits. */
@Component({
  selector: 'tg-paused-pill',
  template: `
    <div class="pill" data-testid="paused" [attr.data-waiting]="paused().waiting">
      <span>{{ text() }}</span>
      <button type="button" class="button" data-testid="resume" (click)="proceed.emit()">
        Resume
      </button>
    </div>
  `,
  styleUrl: './pill.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class PausedPillComponent {
  /** Since when, and how many updates wait. */
  readonly paused = input.required<{ since: number; waiting: number }>();
  /** The viewer wants the newest rows. */
  readonly proceed = output();
  protected readonly text = computed(() => {
    const { since, waiting } = this.paused();
    const updates = `${manyText(waiting, 'update')} ${waiting === 1 ? 'waits' : 'wait'}`;
    return `Paused since ${secondText(since)} · ${waiting === 0 ? 'nothing new' : updates}`;
  });
}

import { CdkTrapFocus } from '@angular/cdk/a11y';
import { CdkConnectedOverlay, type ConnectedPosition } from '@angular/cdk/overlay';
import { ChangeDetectionStrategy, Component, input, output } from '@angular/core';

/** Below or above its element, to the left or the right, wherever there is room. */
const POSITIONS: ConnectedPosition[] = [
  { originX: 'end', originY: 'bottom', overlayX: 'end', overlayY: 'top', offsetY: 4 },
  { originX: 'start', originY: 'bottom', overlayX: 'start', overlayY: 'top', offsetY: 4 },
  { originX: 'end', originY: 'top', overlayX: 'end', overlayY: 'bottom', offsetY: -4 },
  { originX: 'start', originY: 'top', overlayX: 'start', overlayY: 'bottom', offsetY: -4 },
];

/** A box beside an element that takes the focus, and gives it back when it closes. */
@Component({
  selector: 'tg-popup-frame',
  imports: [CdkConnectedOverlay, CdkTrapFocus],
  template: `
    <ng-template
      cdkConnectedOverlay
      [cdkConnectedOverlayOrigin]="origin()"
      [cdkConnectedOverlayOpen]="true"
      [cdkConnectedOverlayPositions]="positions"
      [cdkConnectedOverlayPush]="true"
      [cdkConnectedOverlayViewportMargin]="8"
      (overlayOutsideClick)="leave()"
      (detach)="closed.emit()"
    >
      <div
        class="popup"
        role="dialog"
        cdkTrapFocus
        cdkTrapFocusAutoCapture
        [attr.aria-label]="label()"
        [attr.data-testid]="testid()"
      >
        <ng-content />
      </div>
    </ng-template>
  `,
  styles: `
    .popup {
      min-width: 190px;
      max-width: min(520px, 100vw - 24px);
      max-height: min(560px, 100vh - 24px);
      padding: 6px;
      overflow: auto;
      background: var(--surface);
      color: var(--text);
      border: 1px solid var(--line);
      border-radius: var(--radius);
      box-shadow: 0 12px 34px rgb(0 0 0 / 25%);
      scrollbar-width: thin;
    }
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class PopupFrameComponent {
  /** The element that it stands beside. */
  readonly origin = input.required<HTMLElement>();
  /** What it is called, for screen readers. */
  readonly label = input.required<string>();
  /** The name under which tests find it. */
  readonly testid = input.required<string>();
  /** The viewer has left it. */
  readonly closed = output();
  protected readonly positions = POSITIONS;

  /** Closes it because of a click elsewhere; what was clicked keeps the focus. */
  protected leave(): void {
    const clicked = document.activeElement;
    this.closed.emit();
    if (clicked instanceof HTMLElement && clicked !== document.body) {
      setTimeout(() => clicked.focus({ preventScroll: true }));
    }
  }
}

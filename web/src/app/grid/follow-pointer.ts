/** What to do while a pointer is down. */
interface PointerFollower {
  /** The pointer has moved by so many pixels to the right since it was pressed. */
  move(by: number, event: PointerEvent): void;
  /** The pointer was released; not called when the browser takes it away. */
  release?(event: PointerEvent): void;
  /** It is over, one way or the other. */
  end?(): void;
}

/** Follows a pointer from where it was pressed until it is released or taken away. */
export function followPointer(pressed: PointerEvent, follower: PointerFollower): void {
  const element = pressed.currentTarget as HTMLElement;
  const listening = new AbortController();
  const listen = (name: 'pointermove' | 'pointerup' | 'pointercancel', hear: Hear) =>
    element.addEventListener(name, hear, { signal: listening.signal });
  const end = () => {
    listening.abort();
    follower.end?.();
  };
  element.setPointerCapture(pressed.pointerId);
  listen('pointermove', (event) => follower.move(event.clientX - pressed.clientX, event));
  listen('pointerup', (event) => {
    follower.release?.(event);
    end();
  });
  listen('pointercancel', end);
}

type Hear = (event: PointerEvent) => void;

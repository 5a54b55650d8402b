import type { GridLook } from './grid-look';
import type { GridView } from './grid-view';

/** Who draws a live table and who hears how fresh it is. */
export interface LiveTableSink {
  /** Draws; called once per frame at most. */
  draw(view: GridView): void;
  /** Runs after the drawing is in the page. */
  drawn(): void;
  /** Event times of the rows that have just been painted. */
  painted(eventTimes: readonly number[], now: number): void;
  /** The newest event time on screen. */
  newest(eventTime: number): void;
  /** The viewer has changed the look, and has left it so for a moment. */
  looked?(look: GridLook): void;
  /** Says something that a screen reader is to read out. */
  say?(text: string): void;
}

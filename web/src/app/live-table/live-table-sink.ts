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
}

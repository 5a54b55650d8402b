import { LatencyWindow } from './latency-window';

/** How alive the page is: how new its newest row, how long events take to be painted. */
export class Pulse {
  private readonly window = new LatencyWindow();
  private newest: number | null = null;

  /** Notes that a row with this event time is on screen. */
  saw(eventTime: number): void {
    this.newest = Math.max(this.newest ?? -Infinity, eventTime);
  }

  /** Notes that no rows of events are on screen any more. */
  sawNothing(): void {
    this.newest = null;
  }

  /** Notes that events of these times have been painted now. */
  painted(eventTimes: readonly number[], now: number): void {
    eventTimes.forEach((time) => this.window.add(now - time, now));
  }

  /** The figures at a time. */
  read(now: number) {
    return { ...this.window.read(now), age: this.newest === null ? null : now - this.newest };
  }
}

import { LatencyWindow } from './latency-window';

/** How alive the page is: how new its newest row, how long events take to be painted. */
export class Pulse {
  private readonly window = new LatencyWindow();
  /** The newest event time in each grid that is there. */
  private readonly newest = new Map<object, number>();

  /** Notes the newest event time in a grid. */
  saw(grid: object, eventTime: number): void {
    this.newest.set(grid, eventTime);
  }

  /** Notes that a grid is gone. */
  forget(grid: object): void {
    this.newest.delete(grid);
  }

  /** Notes that events of these times have been painted now. */
  painted(eventTimes: readonly number[], now: number): void {
    eventTimes.forEach((time) => this.window.add(now - time, now));
  }

  /** The figures at a time. */
  read(now: number) {
    const age = this.newest.size > 0 ? now - Math.max(...this.newest.values()) : null;
    return { ...this.window.read(now), age };
  }
}

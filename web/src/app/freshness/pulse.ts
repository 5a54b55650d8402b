import { LatencyWindow } from './latency-window';

/** How long it is said that samples were left out, in milliseconds. */
const SAID_FOR = 60_000;

/** How alive the page is: how new its newest row, how long events take to be painted. */
export class Pulse {
  private readonly window = new LatencyWindow();
  /** The newest event time in each grid that is there. */
  private readonly newest = new Map<object, number>();
  /** Until when each flow was behind; without an end as long as it is. */
  private readonly behindUntil = new Map<string, number>();
  private leftOutAt = -Infinity;

  /** Notes the newest event time in a grid. */
  saw(grid: object, eventTime: number): void {
    this.newest.set(grid, eventTime);
  }

  /** Notes that a grid is gone. */
  forget(grid: object): void {
    this.newest.delete(grid);
  }

  /** Notes whether a flow is behind its source. */
  behind(flow: string, isBehind: boolean, now: number): void {
    if (isBehind) {
      this.behindUntil.set(flow, Infinity);
    } else if (this.behindUntil.get(flow) === Infinity) {
      this.behindUntil.set(flow, now);
    }
  }

  /**
   * Notes that events of these times have been painted now. Those that waited while their flow was
   * behind say how long that was, not how fast the page is, and are left out.
   */
  painted(eventTimes: readonly number[], now: number, flow = ''): void {
    const after = this.behindUntil.get(flow) ?? -Infinity;
    for (const time of eventTimes) {
      if (time > after) {
        this.window.add(now - time, now);
      } else {
        this.leftOutAt = now;
      }
    }
  }

  /** The figures at a time, and whether some were left out lately. */
  read(now: number) {
    const age = this.newest.size > 0 ? now - Math.max(...this.newest.values()) : null;
    return { ...this.window.read(now), age, leftOut: now - this.leftOutAt <= SAID_FOR };
  }
}

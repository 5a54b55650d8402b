import type { Snapshot } from '../deephaven/feed';

/** Whether a grid is paused: its rows stay as they are, and updates are only counted. */
export class HeldRows {
  private pausedAt: number | null = null;
  private count = 0;

  /** Since when and how many updates have come since; null while the grid runs. */
  get view(): { since: number; waiting: number } | null {
    return this.pausedAt === null ? null : { since: this.pausedAt, waiting: this.count };
  }

  /** Holds the rows from now on. */
  pause(now: number): void {
    this.pausedAt ??= now;
  }

  /** Lets updates through again. */
  resume(): void {
    this.pausedAt = null;
    this.count = 0;
  }

  /** Notes an update that waits. */
  note(): void {
    if (this.pausedAt !== null) {
      this.count++;
    }
  }

  /** Notes that the newest rows were taken over, because the viewer asked for others. */
  taken(): void {
    this.count = 0;
  }
}

/** Whether a snapshot has the rows from first to last, as far as there are so many. */
export function covers(snapshot: Snapshot, [first, last]: readonly [number, number]): boolean {
  const end = Math.min(last, snapshot.total - 1);
  return (
    snapshot.first <= Math.min(first, Math.max(end, 0)) &&
    snapshot.first + snapshot.rows.length - 1 >= end
  );
}

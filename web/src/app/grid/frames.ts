/** Work that wants to be part of the next frame. */
export interface FrameTask {
  /** Prepares what is to be shown. */
  prepare(): void;
  /** Runs after the page has been rendered, still in the same frame. */
  settle(): void;
  /** Runs in the frame after, when the pixels are on screen. */
  painted(now: number): void;
}

/** Puts the updates of all grids into one animation frame and one rendering. */
export class Frames {
  private readonly waiting = new Set<FrameTask>();
  private painting: FrameTask[] = [];
  private scheduled = false;

  constructor(
    private readonly schedule: (callback: () => void) => void,
    private readonly render: () => void,
    private readonly clock: () => number,
  ) {}

  /** Asks for a frame; asking again before it comes changes nothing. */
  request(task: FrameTask): void {
    this.waiting.add(task);
    this.ensure();
  }

  /** Forgets a task. */
  cancel(task: FrameTask): void {
    this.waiting.delete(task);
    this.painting = this.painting.filter((candidate) => candidate !== task);
  }

  private ensure(): void {
    if (!this.scheduled) {
      this.scheduled = true;
      this.schedule(() => this.run());
    }
  }

  private run(): void {
    this.scheduled = false;
    const painted = this.painting;
    this.painting = [];
    const now = this.clock();
    painted.forEach((task) => task.painted(now));
    if (this.waiting.size === 0) {
      return;
    }
    const tasks = [...this.waiting];
    this.waiting.clear();
    tasks.forEach((task) => task.prepare());
    this.render();
    tasks.forEach((task) => task.settle());
    this.painting = tasks;
    this.ensure();
  }
}

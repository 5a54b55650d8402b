import type { Drawing } from './drawing';
import type { Chart } from './echarts';
import type { Palette } from './palette';

/** The parts of a chart that may be more or fewer than before, and are told apart by their ids. */
const PARTS = ['grid', 'xAxis', 'yAxis', 'title', 'series'];

/** What a live chart needs of the page. */
export interface ChartHost {
  /** Makes the chart; called once, when there is room for it. */
  init(): Chart;
  palette(): Palette;
  /** Tells what was drawn: how many points, for the how-manieth time. */
  drew(points: number, updates: number): void;
}

/** A chart that is updated in place: made once, drawn again with every change. */
export class LiveChart {
  private chart: Chart | null = null;
  private palette: Palette | null = null;
  private drawing: Drawing | null = null;
  /** In pixels; 0 while there is no room. */
  private width = 0;
  private updates = 0;

  constructor(private readonly host: ChartHost) {}

  /** Takes what is to be drawn next. */
  show(drawing: Drawing): void {
    this.drawing = drawing;
  }

  /** Says that the colours have changed. */
  retheme(): void {
    this.palette = null;
  }

  /** Tells how wide the room for a chart is, 0 if there is none, and that its size may be another. */
  resize(width: number): void {
    this.width = width;
    if (width > 0) {
      this.chart?.resize();
    }
  }

  /** Draws, if there is something to draw and room for it. */
  readonly draw = (): void => {
    if (!this.drawing || this.width === 0) {
      return;
    }
    this.chart ??= this.host.init();
    this.palette ??= this.host.palette();
    this.chart.setOption(this.drawing.option(this.palette, this.width), { replaceMerge: PARTS });
    this.host.drew(this.drawing.points, ++this.updates);
  };

  /** Lets go. */
  dispose(): void {
    this.chart?.dispose();
    this.chart = null;
    this.width = 0;
  }
}

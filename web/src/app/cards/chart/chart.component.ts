import {
  ChangeDetectionStrategy,
  Component,
  DestroyRef,
  effect,
  ElementRef,
  inject,
  input,
  type OnInit,
  untracked,
  viewChild,
} from '@angular/core';
import { ThemeService } from '../../session/theme.service';
import { ChartPaceService } from './chart-pace.service';
import type { Drawing } from './drawing';
import { initChart } from './echarts';
import { LiveChart } from './live-chart';
import { readPalette } from './palette';

/** A chart that follows its data, its size and the theme; its text alternative says the values. */
@Component({
  selector: 'tg-chart',
  template: `
    <div #canvas class="canvas" [class.away]="note() !== null"></div>
    @if (note(); as text) {
      <p>{{ text }}</p>
    }
  `,
  styles: `
    :host {
      position: relative;
      display: block;
      min-width: 0;
      min-height: 0;
    }

    .canvas {
      position: absolute;
      inset: 0;
      overflow: hidden;
    }

    .away {
      visibility: hidden;
    }

    p {
      position: absolute;
      inset: 0;
      display: grid;
      place-items: center;
      margin: 0;
      padding: 0 20px;
      color: var(--text-2);
      text-align: center;
    }
  `,
  host: {
    role: 'img',
    'data-points': '0',
    'data-updates': '0',
    '[attr.aria-label]': 'note() ?? drawing().text',
  },
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ChartComponent implements OnInit {
  private readonly host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  private readonly canvas = viewChild.required<ElementRef<HTMLElement>>('canvas');
  private readonly pace = inject(ChartPaceService).pace;
  private readonly theme = inject(ThemeService).theme;
  private readonly destroyed = inject(DestroyRef);
  private turnDrawn: unknown = null;
  private readonly chart = new LiveChart({
    init: () => initChart(this.canvas().nativeElement),
    palette: () => readPalette(this.host),
    drew: (points, updates) => {
      this.host.dataset['points'] = String(points);
      this.host.dataset['updates'] = String(updates);
    },
  });

  /** What to draw. */
  readonly drawing = input.required<Drawing>();
  /** What to say in place of the chart; null while there is one. */
  readonly note = input<string | null>(null);
  /** When it changes, everything on the page does, and the chart does not lag behind. */
  readonly turn = input<unknown>(null);

  constructor() {
    effect(() => {
      this.theme();
      this.chart.retheme();
      this.pace.request(this.chart.draw);
    });
    effect(() => {
      const turn = this.turn();
      this.chart.show(this.drawing());
      this.pace.request(this.chart.draw);
      if (turn !== null && turn !== this.turnDrawn) {
        this.turnDrawn = turn;
        untracked(() => this.pace.hurry());
      }
    });
  }

  ngOnInit(): void {
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      this.chart.resize(height > 0 ? width : 0);
      this.pace.request(this.chart.draw);
    });
    observer.observe(this.host);
    this.destroyed.onDestroy(() => {
      observer.disconnect();
      this.pace.cancel(this.chart.draw);
      this.chart.dispose();
    });
  }
}

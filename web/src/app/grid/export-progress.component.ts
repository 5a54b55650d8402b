import {
  ChangeDetectionStrategy,
  Component,
  computed,
  DestroyRef,
  inject,
  input,
  type OnInit,
  output,
  signal,
} from '@angular/core';
import { countText } from '../format/number-text';
import { HubService } from '../session/hub.service';
import { downloadFile } from './download-file';
import type { NewWriter } from './export-writer';
import { FILE_TYPES, type FileKind } from './file-types';
import { EXPORT_LIMIT, exportTable, type ExportPlan, type ExportProgress } from './table-export';

/** An export under way: reads the table, shows how far it is, can be cancelled, saves the file. */
@Component({
  selector: 'tg-export-progress',
  template: `
    <div class="pill" data-testid="export-progress" [attr.data-rows]="progress().rows">
      @if (problem(); as reason) {
        <span role="alert">{{ reason }}</span>
      } @else {
        <label>
          {{ text() }}
          <progress [max]="progress().of || 1" [value]="progress().rows"></progress>
        </label>
      }
      <button type="button" class="button" data-testid="export-cancel" (click)="closed.emit('')">
        {{ problem() ? 'Close' : 'Cancel' }}
      </button>
    </div>
  `,
  styleUrl: './pill.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ExportProgressComponent implements OnInit {
  private readonly hub = inject(HubService);
  private readonly destroyed = inject(DestroyRef);
  /** What is saved. */
  readonly plan = input.required<ExportPlan>();
  /** The kind of file. */
  readonly as = input.required<FileKind>();
  /** It is over, with a sentence about what became of it. */
  readonly closed = output<string>();
  protected readonly progress = signal<ExportProgress>({ rows: 0, of: 0, cut: false });
  protected readonly problem = signal('');
  protected readonly text = computed(() => {
    const { rows, of, cut } = this.progress();
    return `Saving ${countText(rows)} of ${cut ? 'the first ' : ''}${countText(of)} rows`;
  });

  ngOnInit(): void {
    let over = false;
    this.destroyed.onDestroy(() => (over = true));
    FILE_TYPES[this.as()].load().then(
      (newWriter) => over || this.start(newWriter),
      () => this.problem.set('The server does not answer. Try again when it is back.'),
    );
  }

  private start(newWriter: NewWriter): void {
    const plan = this.plan();
    const cancel = exportTable(this.hub.tables, plan, newWriter, {
      progress: (progress) => this.progress.set(progress),
      done: (parts, progress) => {
        downloadFile(`${plan.query.table}.${this.as()}`, FILE_TYPES[this.as()].mime, parts);
        const cut = progress.cut ? `, of which there are more than ${countText(EXPORT_LIMIT)}` : '';
        this.closed.emit(`Saved ${countText(progress.rows)} rows${cut}`);
      },
      failed: (reason) => this.problem.set(reason),
    });
    this.destroyed.onDestroy(cancel);
  }
}

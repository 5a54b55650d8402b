import {
  ChangeDetectionStrategy,
  Component,
  computed,
  DestroyRef,
  inject,
  input,
  linkedSignal,
  signal,
} from '@angular/core';
import { copyText } from '../session/copy-text';
import { HubService } from '../session/hub.service';
import { rawRecordJson, rawRecordView } from './raw-record';
import type { RecordPlace } from './record-place';
import { isOlder, noteOf, RecordRequest, type RecordState } from './record-request';

/** The record that a row was made of as it is in Kafka, once it is asked for; all of it is text. */
@Component({
  selector: 'tg-raw-record',
  templateUrl: './raw-record.component.html',
  styleUrl: './raw-record.component.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class RawRecordComponent {
  private readonly state = signal<RecordState>({ step: 'idle' });
  private readonly request = new RecordRequest(inject(HubService).tables, (state) =>
    this.state.set(state),
  );
  /** Where the record of the row stands now. */
  readonly place = input.required<RecordPlace>();

  protected readonly shown = computed(() => {
    const state = this.state();
    return state.step === 'shown' ? rawRecordView(state.record) : null;
  });
  /** What is said of it: that it is waited for, why it is not there, or that it is older. */
  protected readonly note = computed(() => noteOf(this.state(), this.place()));
  /** Whether the note is to be seen. */
  protected readonly warns = computed(
    () => this.state().step === 'failed' || isOlder(this.state(), this.place()),
  );
  /** What became of the last attempt to copy this record. */
  protected readonly copied = linkedSignal({ source: this.state, computation: () => '' });

  constructor() {
    inject(DestroyRef).onDestroy(() => this.request.stop());
  }

  /** Fetches the record that the row has now. */
  protected fetch(): void {
    this.request.fetch(this.place());
  }

  /** Copies the record as JSON. */
  protected async copy(): Promise<void> {
    const state = this.state();
    if (state.step === 'shown') {
      const done = await copyText(rawRecordJson(state.place, state.record));
      this.copied.set(done ? 'Copied.' : 'The browser does not allow to copy.');
    }
  }
}

import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import { momentText } from '../../format/time-text';
import type { LookRecord } from '../../topic-looks/look';

/** The newest records of a topic as they are; whatever is in them is shown as text. */
@Component({
  selector: 'tg-look-records',
  template: `
    <h3>
      Newest records <span>{{ shown().length }}, as they are</span>
    </h3>
    <ol tabindex="0" aria-label="Newest records">
      @for (one of shown(); track one.place) {
        <li data-testid="look-record">
          <p>
            <b>{{ one.written }}</b> {{ one.place }}
            @if (one.key !== null) {
              <span>
                key <code>{{ one.key }}</code>
              </span>
            }
            @for (header of one.headers; track header.name) {
              <span>
                {{ header.name }} <code>{{ header.value }}</code>
              </span>
            }
          </p>
          <pre [class.none]="one.value === null">{{ one.value ?? 'no value: a tombstone' }}</pre>
        </li>
      } @empty {
        <li>There are none.</li>
      }
    </ol>
  `,
  styleUrl: './look-records.component.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class LookRecordsComponent {
  /** The records, newest first. */
  readonly records = input.required<readonly LookRecord[]>();

  protected readonly shown = computed(() =>
    this.records().map((record) => ({
      ...record,
      place: `partition ${record.partition}, offset ${record.offset}`,
      written: record.at < 0 ? 'no time' : momentText(record.at, Date.now()),
    })),
  );
}

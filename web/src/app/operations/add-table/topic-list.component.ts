import { ChangeDetectionStrategy, Component, computed, input, output, signal } from '@angular/core';
import { noteOf, type LiveRows } from '../../live-rows/live-rows';
import { EMPTY, formatCell } from '../../format/cell-text';
import { countText } from '../../format/number-text';
import { momentText } from '../../format/time-text';
import { foundTopics, MOST_LISTED, type ListedTopic } from './topic-choice';

/** The broker's topics, to search and to choose one of. */
@Component({
  selector: 'tg-topic-list',
  template: `
    <label for="add-table-search">Topic</label>
    <input
      #search
      id="add-table-search"
      type="search"
      autocomplete="off"
      spellcheck="false"
      placeholder="Search topics"
      data-testid="topic-search"
      [value]="text()"
      (input)="text.set(search.value)"
    />
    @if (note(); as said) {
      <p role="status">{{ said }}</p>
    } @else {
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Topic</th>
              <th scope="col" class="number">Partitions</th>
              <th scope="col" class="number">Records</th>
              <th scope="col">Newest written</th>
            </tr>
          </thead>
          <tbody>
            @for (one of listed(); track one.topic) {
              <tr>
                <th scope="row">
                  <button
                    type="button"
                    data-testid="topic-option"
                    [attr.data-topic]="one.topic"
                    (click)="chosen.emit(one.topic)"
                  >
                    {{ one.topic }}
                  </button>
                </th>
                <td class="number">{{ one.partitions }}</td>
                <td class="number">{{ one.count }}</td>
                <td>{{ one.written }}</td>
              </tr>
            }
          </tbody>
        </table>
      </div>
      @if (more() > 0) {
        <p>{{ count(more()) }} more: search for a part of the name.</p>
      }
    }
  `,
  styleUrl: './topic-list.component.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class TopicListComponent {
  /** The topics there are. */
  readonly topics = input.required<LiveRows<ListedTopic>>();
  /** The viewer wants this topic. */
  readonly chosen = output<string>();

  protected readonly count = countText;
  protected readonly text = signal('');
  private readonly found = computed(() => foundTopics(this.topics().rows, this.text()));
  protected readonly listed = computed(() =>
    this.found()
      .slice(0, MOST_LISTED)
      .map((one) => ({
        ...one,
        count: formatCell(one.records, 'integer'),
        written: one.newest === null ? EMPTY : momentText(one.newest, Date.now()),
      })),
  );
  protected readonly more = computed(() => this.found().length - this.listed().length);
  protected readonly note = computed(
    () =>
      noteOf(this.topics(), 'There is no topic yet that could be shown.') ??
      (this.found().length === 0 ? 'No topic is called like that.' : null),
  );
}

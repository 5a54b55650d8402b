import {
  afterNextRender,
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  type ElementRef,
  inject,
  Injector,
  input,
  signal,
  viewChild,
} from '@angular/core';
import type { FlowInfo } from '../catalogue/flows';
import { CardComponent } from '../panel/card.component';
import { catchUpOf } from '../freshness/catch-up';
import { isUnderWay } from './generations';
import { OperationsData } from './operations-data.service';
import { RequestStatusComponent } from './request-status.component';
import { RequestsService } from './requests.service';
import { sizeText } from './source-topics';
import {
  draftOf,
  editsSince,
  fieldOf,
  JOINS,
  messageOf,
  problemsOf,
  warningsOf,
  type Draft,
  type Known,
  type Problems,
} from './swap-draft';

/** Asks for other topics under the live tables of a flow, and shows what becomes of it. */
@Component({
  selector: 'tg-swap-form',
  imports: [CardComponent, RequestStatusComponent],
  templateUrl: './swap-form.component.html',
  styleUrl: './swap-form.component.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class SwapFormComponent {
  private readonly data = inject(OperationsData);
  private readonly log = inject(RequestsService).log;
  private readonly injector = inject(Injector);
  private readonly form = viewChild.required<ElementRef<HTMLFormElement>>('form');
  private readonly kept = computed(() => this.data.form(this.spec().flow));
  /** The fields whose problems are shown: those that were left, or all once it was to be sent. */
  private readonly left = signal<ReadonlySet<string>>(new Set());
  private readonly tried = signal(false);

  /** The flow. */
  readonly spec = input.required<FlowInfo>();

  protected readonly sizeText = sizeText;
  protected readonly joins = JOINS;
  protected readonly fieldOf = fieldOf;
  protected readonly topics = computed(() => this.data.topics().rows);
  protected readonly live = computed(
    () => this.data.flows().find(({ flow }) => flow === this.spec().flow) ?? null,
  );
  protected readonly draft = computed<Draft>(() => ({
    ...draftOf(this.spec(), this.live()),
    ...this.kept().edits(),
  }));
  protected readonly changed = computed(() => {
    const before = draftOf(this.spec(), this.live());
    return Object.entries(this.draft()).some(([name, text]) => before[name] !== text);
  });
  protected readonly stage = computed(() => this.data.stage(this.spec().flow));
  protected readonly state = computed(() => this.stage().state);
  protected readonly catchUp = computed(() =>
    catchUpOf(this.data.catchUps().rows, this.spec().flow, this.stage().generation),
  );
  /** Whether a request is on its way to the pipeline, or there is nobody to send one to. */
  protected readonly busy = computed(
    () => !this.data.connected() || (this.state() === 'sent' && !this.stage().overdue),
  );
  protected readonly problems = computed(() =>
    this.onlyShown(problemsOf(this.draft(), this.spec(), this.known())),
  );
  protected readonly warnings = computed(() =>
    this.onlyShown(warningsOf(this.draft(), this.spec(), this.data.topics())),
  );

  constructor() {
    // What was asked for is live now, so the form follows it again.
    effect(() => {
      if (this.state() === 'live') {
        const { edits, sent } = this.kept();
        edits.update((made) => editsSince(made, sent()));
      }
    });
  }

  /** Takes what the viewer typed or chose. */
  protected edit(name: string, text: string): void {
    this.kept().edits.update((edits) => ({ ...edits, [name]: text }));
  }

  /** Shows what is wrong with a field once the viewer is done with it. */
  protected leave(name: string): void {
    this.left.update((left) => new Set(left).add(name));
  }

  /** Goes back to what is live. */
  protected reset(): void {
    this.kept().edits.set({});
    this.forgetProblems();
  }

  /** Sends the request, or shows what is wrong with it. */
  protected submit(): void {
    if (this.busy()) {
      return;
    }
    const draft = this.draft();
    if (Object.keys(problemsOf(draft, this.spec(), this.known())).length > 0) {
      this.tried.set(true);
      afterNextRender(() => this.focusProblem(), { injector: this.injector });
      return;
    }
    this.forgetProblems();
    this.kept().sent.set(draft);
    void this.log.send(this.spec().flow, 'swap', messageOf(draft, this.spec()));
  }

  private known(): Known {
    const live = this.live();
    const ours = this.data.generations().filter(({ flow }) => flow === this.spec().flow);
    return {
      live: ours.some(isUnderWay) ? null : live,
      starting: ours.find(({ generation }) => generation === live?.generation)?.starting ?? null,
    };
  }

  private onlyShown(problems: Problems): Problems {
    const shown = ([name]: [string, string]) => this.tried() || this.left().has(name);
    return Object.fromEntries(Object.entries(problems).filter(shown));
  }

  private forgetProblems(): void {
    this.tried.set(false);
    this.left.set(new Set());
  }

  private focusProblem(): void {
    this.form().nativeElement.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }
}

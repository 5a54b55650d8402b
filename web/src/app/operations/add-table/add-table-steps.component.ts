import {
  afterNextRender,
  ChangeDetectionStrategy,
  Component,
  computed,
  ElementRef,
  inject,
  output,
} from '@angular/core';
import { RouterLink } from '@angular/router';
import { RequestStatusComponent } from '../request-status.component';
import { AddTableService } from './add-table.service';
import { FlowFileComponent } from './flow-file.component';
import { FlowFormComponent } from './flow-form.component';
import { LookRecordsComponent } from './look-records.component';
import { TopicListComponent } from './topic-list.component';

/** The way to a new table: choose a topic, look at it, change what was inferred, start. */
@Component({
  selector: 'tg-add-table-steps',
  imports: [
    FlowFileComponent,
    FlowFormComponent,
    LookRecordsComponent,
    RequestStatusComponent,
    RouterLink,
    TopicListComponent,
  ],
  templateUrl: './add-table-steps.component.html',
  styleUrl: './add-table-steps.component.css',
  providers: [AddTableService],
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class AddTableStepsComponent {
  protected readonly service = inject(AddTableService);
  private readonly element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  /** The viewer wants to see something else; what was typed stays. */
  readonly leave = output();

  protected readonly problem = computed(() => {
    const state = this.service.state();
    return state.step === 'choose' ? state.problem : null;
  });
  /** Whether the flow can be asked for. */
  protected readonly ready = computed(() => {
    const draft = this.service.draft();
    return (
      this.service.connected() &&
      this.service.phase() === 'form' &&
      !!draft?.look.declaration &&
      (draft.problems.length === 0 || draft.checking)
    );
  });

  constructor() {
    afterNextRender(() => this.shown());
  }

  /** Puts the cursor where one begins. */
  shown(): void {
    this.element.querySelector<HTMLElement>('[type=search]')?.focus();
  }

  /** Begins again next time, if there is nothing more to do here. */
  left(): void {
    if (this.service.phase() === 'live') {
      this.service.steps.reset();
    }
  }
}

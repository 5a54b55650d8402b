import {
  ChangeDetectionStrategy,
  Component,
  type ElementRef,
  inject,
  signal,
  viewChild,
} from '@angular/core';
import { RouterLink } from '@angular/router';
import { CardComponent } from '../../panel/card.component';
import { AddTableStepsComponent } from './add-table-steps.component';
import { FlowsService } from './flows.service';
import type { Removable } from './removal';

/** The flows there are, each with a way to remove it, and the way to a new one. */
@Component({
  selector: 'tg-add-table',
  // The steps come when they are asked for: most who look at the page add nothing.
  imports: [AddTableStepsComponent, CardComponent, RouterLink],
  templateUrl: './add-table.component.html',
  styleUrl: './add-table.component.css',
  providers: [FlowsService],
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class AddTableComponent {
  protected readonly service = inject(FlowsService);
  private readonly adding = viewChild.required<ElementRef<HTMLDialogElement>>('adding');
  private readonly removing = viewChild.required<ElementRef<HTMLDialogElement>>('removing');
  protected readonly steps = viewChild<AddTableStepsComponent>('steps');
  /** Whether the way to a new table was wanted so far. */
  protected readonly opened = signal(false);
  /** The flow whose removal is to be confirmed. */
  protected readonly doomed = signal<Removable | null>(null);

  /** Opens the way to a new table, where it was left. */
  protected open(): void {
    this.opened.set(true);
    this.adding().nativeElement.showModal();
    this.steps()?.shown();
  }

  /** Asks whether a flow is really to go. */
  protected confirm(flow: Removable): void {
    this.doomed.set(flow);
    this.removing().nativeElement.showModal();
  }

  /** Removes it, or leaves it alone. */
  protected decide(remove: boolean): void {
    const flow = this.doomed();
    this.removing().nativeElement.close();
    if (remove && flow) {
      this.service.remove(flow.flow);
    }
  }
}

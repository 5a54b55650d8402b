import { ChangeDetectionStrategy, Component, computed, input, output } from '@angular/core';
import { TYPES, type Edits } from './edits';
import type { FlowForm, FormView } from './flow-form';

/** The inferred declaration as a form: what each field is, the key, the time, the tables. */
@Component({
  selector: 'tg-flow-form',
  templateUrl: './flow-form.component.html',
  styleUrl: './flow-form.component.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class FlowFormComponent {
  /** What it shows. */
  readonly form = input.required<FlowForm>();
  /** What was changed so far. */
  readonly edits = input.required<Edits>();
  /** How sure the key and the time are, and what was left out. */
  readonly notes = input.required<readonly string[]>();
  /** Whether nothing can be changed now. */
  readonly locked = input(false);
  /** The viewer changed something. */
  readonly edit = output<Partial<Edits>>();

  protected readonly types = TYPES;
  protected readonly times = computed(() =>
    this.form().fields.filter(({ type, used, isTime }) => (type === 'time' && used) || isTime),
  );

  /** Reads a field, or leaves it out. */
  protected use(name: string, used: boolean): void {
    const without = new Set(this.edits().without);
    if (used) {
      without.delete(name);
    } else {
      without.add(name);
    }
    this.edit.emit({ without });
  }

  /** Reads a field as another type. */
  protected type(name: string, type: string): void {
    this.edit.emit({ types: new Map(this.edits().types).set(name, type) });
  }

  /** Takes a field into the key, in the order of the fields, or out of it. */
  protected key(name: string, isKey: boolean): void {
    const { fields } = this.form();
    const chosen = fields.filter((field) => (field.name === name ? isKey : field.isKey));
    this.edit.emit({ key: chosen.map((field) => field.name) });
  }

  /** Makes a table or not, under some name. */
  protected view({ id, name, on }: FormView, change: { on?: boolean; name?: string }): void {
    this.edit.emit({ views: new Map(this.edits().views).set(id, { name, on, ...change }) });
  }
}

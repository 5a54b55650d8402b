import {
  ChangeDetectionStrategy,
  Component,
  computed,
  inject,
  input,
  linkedSignal,
  untracked,
} from '@angular/core';
import type { GridLook } from '../grid/grid-look';
import type { TableSpec } from '../grid/table-spec';
import { PanelComponent } from '../panel/panel.component';
import type { LinkChanges } from '../session/link-parts';
import { PageLink } from '../session/page-link.service';
import { gridPart, readGrid, writeGrid } from './grid-link';

/** The one grid of a page; how it looks is in the address. */
@Component({
  selector: 'tg-linked-panel',
  imports: [PanelComponent],
  template: `
    <!-- As a list of one, so that the same table with other columns is another grid. -->
    @for (one of [key()]; track one) {
      <tg-panel
        [name]="name()"
        [title]="title()"
        [hint]="hint()"
        [spec]="spec()"
        [look]="begun()"
        (lookChange)="remember($event)"
        [linkable]="true"
        (copyLink)="link.copy(said($event))"
      />
    }
  `,
  styles: `
    tg-panel {
      height: 100%;
    }
  `,
  providers: [PageLink],
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class LinkedPanelComponent {
  protected readonly link = inject(PageLink);
  /** The name under which tests find it, and which it has in the address. */
  readonly name = input.required<string>();
  /** What the viewer reads above the rows. */
  readonly title = input.required<string>();
  /** One line about what a row is. */
  readonly hint = input('');
  /** The table. */
  readonly spec = input.required<TableSpec>();

  protected readonly key = computed(() => JSON.stringify(this.spec()));
  /** What the address says of the grid; null before it first does. */
  private readonly given = computed<GridLook | null>(() => {
    const part = this.link.given()[gridPart(this.name())];
    return part !== undefined || this.link.changed() ? readGrid(part).look : null;
  });
  /** How the grid looks now. */
  private readonly shown = linkedSignal(() => this.given());
  /** How the grid is to look when it is made, and whenever the address changes under it. */
  protected readonly begun = computed(() => {
    this.given();
    this.key();
    return untracked(this.shown);
  });

  /** Says in the address how the grid looks. */
  protected remember(look: GridLook): void {
    this.shown.set(look);
    this.link.set(this.said(look));
  }

  /** A look as its part of the address. */
  protected said(look: GridLook): LinkChanges {
    return { [gridPart(this.name())]: writeGrid({ form: null, look }) };
  }
}

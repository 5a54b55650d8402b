import { ChangeDetectionStrategy, Component, signal } from '@angular/core';
import type { TableSpec } from '../live-table/table-spec';
import { latestOrEvents, type PanelForm } from '../panel/panel-form';
import { PanelComponent } from '../panel/panel.component';
import { TABLES } from '../screens/tables';

interface Panel {
  readonly name: string;
  readonly title: string;
  readonly hint: string;
  readonly spec?: TableSpec;
  readonly forms?: readonly PanelForm[];
}

const PANELS: readonly Panel[] = [
  {
    name: 'users',
    title: 'Users',
    hint: 'The newest version of each user',
    forms: latestOrEvents(TABLES.users_ui, TABLES.user),
  },
  {
    name: 'accounts',
    title: 'Accounts',
    hint: 'The newest version of each account',
    forms: latestOrEvents(TABLES.accounts_ui, TABLES.account),
  },
  {
    name: 'joined',
    title: 'Joined',
    hint: 'Users with their accounts, as they are now',
    spec: TABLES.final_ui,
  },
  {
    name: 'as-of',
    title: 'As-of',
    hint: 'Account events, each with the user as of its time',
    spec: TABLES.user_account,
  },
];

/** The customers flow: users, accounts, and the two ways they are joined. */
@Component({
  selector: 'tg-customers-page',
  imports: [PanelComponent],
  template: `
    @for (panel of panels; track panel.name) {
      <tg-panel
        [class.away]="maximised() !== null && maximised() !== panel.name"
        [name]="panel.name"
        [title]="panel.title"
        [hint]="panel.hint"
        [spec]="panel.spec"
        [forms]="panel.forms ?? []"
        [maximised]="maximised() === panel.name"
        (maximise)="maximised.set(maximised() ? null : panel.name)"
      />
    }
  `,
  styles: `
    :host {
      display: grid;
      grid-template: repeat(2, minmax(0, 1fr)) / repeat(2, minmax(0, 1fr));
      gap: 10px;
      height: 100%;
    }

    /* Out of sight, not gone: order, filters and scroll are kept. */
    .away {
      display: none;
    }

    :host(.one) {
      grid-template: minmax(0, 1fr) / minmax(0, 1fr);
    }
  `,
  host: { '[class.one]': 'maximised() !== null' },
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class CustomersPage {
  protected readonly panels = PANELS;
  /** The panel that fills the page. */
  protected readonly maximised = signal<string | null>(null);
}

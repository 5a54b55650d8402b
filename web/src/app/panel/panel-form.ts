import type { TableSpec } from '../live-table/table-spec';

/** One of the tables that a panel can show. */
export interface PanelForm {
  /** The name under which tests find its button. */
  readonly name: string;
  /** What the viewer reads on the button. */
  readonly label: string;
  readonly spec: TableSpec;
}

/** The newest version of each row, or the events as they came. */
export function latestOrEvents(latest: TableSpec, events: TableSpec): readonly PanelForm[] {
  return [
    { name: 'latest', label: 'Latest', spec: latest },
    { name: 'events', label: 'Events', spec: events },
  ];
}

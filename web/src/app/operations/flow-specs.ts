/** A field of a control message that names a topic. */
export type SourceField = 'usersTopic' | 'accountsTopic' | 'positionsTopic';

/** A source of a flow. */
export interface SourceSpec {
  readonly name: string;
  /** What the viewer reads beside the field. */
  readonly label: string;
  readonly field: SourceField;
}

/** A way to join the sources. */
export interface JoinSpec {
  readonly name: string;
  readonly label: string;
}

/** A flow whose topics can be swapped from the page. */
export interface FlowSpec {
  readonly flow: string;
  readonly title: string;
  readonly sources: readonly SourceSpec[];
  /** The joins to choose from; none for a flow of one source. */
  readonly joins: readonly JoinSpec[];
}

/** The flows that have a swap form; another flow is another entry. */
export const FLOW_SPECS: readonly FlowSpec[] = [
  {
    flow: 'customers',
    title: 'Customers',
    sources: [
      { name: 'users', label: 'Users topic', field: 'usersTopic' },
      { name: 'accounts', label: 'Accounts topic', field: 'accountsTopic' },
    ],
    joins: [
      { name: 'left', label: 'Left: every user' },
      { name: 'inner', label: 'Inner: only users with accounts' },
    ],
  },
  {
    flow: 'positions',
    title: 'Positions',
    sources: [{ name: 'positions', label: 'Positions topic', field: 'positionsTopic' }],
    joins: [],
  },
];

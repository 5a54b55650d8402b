import type { Sort } from '../deephaven/query';
import type { ColumnSpec, TableSpec } from '../live-table/table-spec';

const NEWEST_FIRST: readonly Sort[] = [{ column: 'ts', direction: 'desc' }];
const RECORD = ['topic', 'partition', 'offset'];
/** The views of the customers flow, which swap as one. */
const customers = { together: 'customers' };

const userId: ColumnSpec = { name: 'userId', label: 'User', width: 72 };
const name: ColumnSpec = { name: 'name', label: 'Name', width: 116 };
const email: ColumnSpec = { name: 'email', label: 'E-mail', width: 140 };
const age: ColumnSpec = { name: 'age', label: 'Age', width: 50 };
const accountType: ColumnSpec = { name: 'accountType', label: 'Account', width: 104 };
const balance: ColumnSpec = { name: 'balance', label: 'Balance', format: 'money', width: 98 };
const ts: ColumnSpec = { name: 'ts', label: 'Time', width: 110 };

/** Where a row came from: shown when asked for. */
function origin(hidden: boolean): ColumnSpec[] {
  return [
    { name: 'topic', label: 'Topic', width: 110, hidden },
    { name: 'partition', label: 'Partition', width: 84, hidden },
    { name: 'offset', label: 'Offset', width: 96, hidden },
  ];
}

const userColumns = [userId, name, email, age, ts, ...origin(true)];
const accountColumns = [userId, accountType, balance, ts, ...origin(true)];

/** How each table that Deephaven publishes is shown, by its name. */
export const TABLES = {
  users_ui: { ...customers, table: 'users_ui', key: ['userId'], columns: userColumns },
  user: { ...customers, table: 'user', key: RECORD, columns: userColumns, sort: NEWEST_FIRST },
  accounts_ui: {
    ...customers,
    table: 'accounts_ui',
    key: ['userId', 'accountType'],
    columns: accountColumns,
  },
  account: {
    ...customers,
    table: 'account',
    key: RECORD,
    columns: accountColumns,
    sort: NEWEST_FIRST,
  },
  final_ui: {
    ...customers,
    table: 'final_ui',
    key: ['userId', 'accountType'],
    columns: [userId, name, email, age, accountType, balance, ts, ...origin(true)],
  },
  user_account: {
    ...customers,
    table: 'user_account',
    key: RECORD,
    columns: [
      ts,
      userId,
      accountType,
      balance,
      name,
      email,
      age,
      { name: 'userTs', label: 'User as of', width: 110 },
      ...origin(true),
    ],
    sort: NEWEST_FIRST,
  },
  // Rows of all flows, each with the generation of its own, so it is not a view that swaps with one.
  rejects: {
    table: 'rejects',
    key: RECORD,
    columns: [
      ts,
      { name: 'flow', label: 'Flow', width: 100 },
      { name: 'reason', label: 'Reason', width: 260 },
      { name: 'value', label: 'Value', width: 360 },
      ...origin(false),
    ],
    sort: NEWEST_FIRST,
  },
} as const satisfies Record<string, TableSpec>;

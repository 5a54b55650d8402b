import type { Routes, UrlMatcher } from '@angular/router';
import { CustomersPage } from './customers/customers.page';
import { OperationsPage } from './operations/operations.page';
import { RejectsPage } from './rejects/rejects.page';

/** Matches `table/:name` for names that Deephaven could publish; anything else is no table. */
const tableByName: UrlMatcher = ([table, name, ...rest]) =>
  table?.path === 'table' && name && rest.length === 0 && /^[A-Za-z0-9_]+$/.test(name.path)
    ? { consumed: [table, name], posParams: { name } }
    : null;

/** The pages; one that is not in the navigation shows any table by its name. */
export const routes: Routes = [
  { path: '', pathMatch: 'full', redirectTo: 'customers' },
  { path: 'customers', component: CustomersPage, title: 'Customers · Tidegrid' },
  {
    path: 'gold',
    // With its charts it is larger than the rest of the page, so it comes when it is asked for.
    loadComponent: () => import('./gold/gold.page').then(({ GoldPage }) => GoldPage),
    title: 'Gold · Tidegrid',
  },
  { path: 'operations', component: OperationsPage, title: 'Operations · Tidegrid' },
  { path: 'rejects', component: RejectsPage, title: 'Rejects · Tidegrid' },
  {
    matcher: tableByName,
    loadComponent: () => import('./table/table.page').then(({ TablePage }) => TablePage),
    title: 'Table · Tidegrid',
  },
  { path: '**', redirectTo: 'customers' },
];

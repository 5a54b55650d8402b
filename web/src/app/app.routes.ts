import type { Routes, UrlMatcher } from '@angular/router';

/** Matches `table/:name` for names that Deephaven could publish; anything else is no table. */
const tableByName: UrlMatcher = ([table, name, ...rest]) =>
  table?.path === 'table' && name && rest.length === 0 && /^[A-Za-z0-9_]+$/.test(name.path)
    ? { consumed: [table, name], posParams: { name } }
    : null;

// Loaded while the viewer types the key, and so not part of what the first paint waits for.
const flowPage = () => import('./pages/flow.page').then(({ FlowPage }) => FlowPage);

/** The pages that are of no flow, and then those of flows at the addresses they have. */
export const routes: Routes = [
  {
    path: 'operations',
    loadComponent: () =>
      import('./operations/operations.page').then(({ OperationsPage }) => OperationsPage),
    title: 'Operations · Tidegrid',
  },
  {
    path: 'rejects',
    loadComponent: () => import('./pages/rejects.page').then(({ RejectsPage }) => RejectsPage),
    title: 'Rejects · Tidegrid',
  },
  {
    matcher: tableByName,
    loadComponent: () => import('./pages/table.page').then(({ TablePage }) => TablePage),
    title: 'Table · Tidegrid',
  },
  { path: '', pathMatch: 'full', loadComponent: flowPage },
  { path: ':address', loadComponent: flowPage },
  { path: '**', redirectTo: '' },
];

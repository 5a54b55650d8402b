import { expect, it } from 'vitest';
import { brokenPromises } from './testing/api-contract';
import { CONTRACT_ROWS } from './testing/contract-table';
import { MemoryServer } from './testing/memory-server';

// The same suite runs in a browser against Deephaven: tests/e2e/test_api_contract.py.
it('holds the server in memory to what the JS API does', async () => {
  const server = new MemoryServer();
  const types = { userId: 'java.lang.String', name: 'java.lang.String', age: 'long' };
  const other = { userId: 'somebody else', name: 'Name 1', age: 27 };
  server.table('users', types, [other, ...CONTRACT_ROWS.map((row) => ({ ...row }))]);
  expect(await brokenPromises(await server.login('secret'), 'users')).toEqual([]);
});

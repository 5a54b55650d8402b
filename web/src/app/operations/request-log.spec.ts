import { beforeEach, describe, expect, it } from 'vitest';
import type { RowValues } from '../deephaven/add-row';
import { NotConnectedError } from '../deephaven/errors';
import { RequestLog, type Request } from './request-log';
import { receipt } from './testing/receipt';

let sent: { table: string; values: RowValues }[];
let fails: Error | null;
let requests: readonly Request[];
let log: RequestLog;

beforeEach(() => {
  sent = [];
  fails = null;
  requests = [];
  log = new RequestLog(
    async (table, values) => {
      sent.push({ table, values });
      if (fails) {
        throw fails;
      }
    },
    (changed) => (requests = changed),
  );
});

describe('RequestLog', () => {
  it('adds a row with a fresh id for every request', async () => {
    await log.send('customers', 'rollback', { action: 'rollback', flow: 'customers' });
    await log.send('customers', 'rollback', { action: 'rollback', flow: 'customers' });
    const ids = sent.map(({ values }) => values['id']);
    expect(sent[0]).toEqual({
      table: 'swap_requests',
      values: { id: ids[0], action: 'rollback', flow: 'customers' },
    });
    expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(ids).size).toBe(2);
  });

  it('remembers the last request of each flow', async () => {
    await log.send('customers', 'swap', { usersTopic: 'a' });
    await log.send('positions', 'swap', { positionsTopic: 'p' });
    await log.send('customers', 'rollback', {});
    expect(requests.map(({ flow, action }) => [flow, action])).toEqual([
      ['positions', 'swap'],
      ['customers', 'rollback'],
    ]);
  });

  it('keeps why a request did not reach the server', async () => {
    fails = new NotConnectedError();
    await log.send('customers', 'swap', {});
    expect(requests[0]!.problem).toBe(fails.message);
  });

  it('keeps the answer to its own request, also after the server has forgotten it', async () => {
    await log.send('customers', 'swap', {});
    const answer = { id: requests[0]!.id, control: 17, problem: '' };
    log.receive([{ id: 'of another viewer', control: 40, problem: '' }], []);
    expect(requests[0]!.answer).toBeNull();
    log.receive([answer], []);
    log.receive([], []);
    expect(requests[0]).toMatchObject({ answer, outcome: null });
  });

  it('keeps what became of a request, also after its receipts are gone', async () => {
    await log.send('customers', 'swap', {});
    const answer = { id: requests[0]!.id, control: 17, problem: '' };
    log.receive([answer], [receipt(7, 'building', 1)]);
    expect(requests[0]!.outcome).toBeNull();
    log.receive([], [receipt(7, 'building', 1), receipt(7, 'live', 3)]);
    log.receive([], []);
    expect(requests[0]!.outcome).toMatchObject({ state: 'live', generation: 7 });
  });

  it('takes a late answer to a request that seemed to have failed', async () => {
    fails = new NotConnectedError();
    await log.send('customers', 'swap', {});
    log.receive([], []);
    expect(requests[0]!.outcome).toBeNull();
    log.receive([{ id: requests[0]!.id, control: -1, problem: 'no use' }], []);
    expect(requests[0]!.outcome).toMatchObject({ state: 'refused', text: 'Not sent: no use' });
  });

  it('does not mix up a late failure with a newer request', async () => {
    fails = new NotConnectedError();
    const first = log.send('customers', 'swap', {});
    fails = null;
    await log.send('customers', 'swap', {});
    await first;
    expect(requests).toHaveLength(1);
    expect(requests[0]!.problem).toBeNull();
  });
});

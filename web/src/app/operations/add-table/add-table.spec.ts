import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TableHub } from '../../deephaven/table-hub';
import { MemoryServer } from '../../deephaven/testing/memory-server';
import { ANSWER_TIMEOUT } from '../../topic-looks/ask';
import type { Table } from '../../topic-looks/json';
import { lookRow, ORDERS, REQUEST_COLUMNS } from '../../topic-looks/testing/looks';
import type { Stage } from '../request-stage';
import { AddTable, CHECK_AFTER, phaseOf, type AddTableState } from './add-table';

const TEXT = 'java.lang.String';
const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, TEXT]));

let server: MemoryServer;
let hub: TableHub;
let state: AddTableState;
let applied: { flow: string; declaration: Table }[];
let steps: AddTable;

const pass = (milliseconds = 50) => vi.advanceTimersByTimeAsync(milliseconds);
const requests = () => server.tables.get('topic_requests')!.rows;
const request = () => requests().at(-1)! as Record<string, string>;

/** Answers the newest request, as the server does. */
async function answer(more: Record<string, string> = {}, id = request()['id']!): Promise<void> {
  server.tables.get('topic_looks')!.rows.push(lookRow(id, more));
  server.touch('topic_looks');
  await pass();
}

/** Goes as far as the form. */
async function look(): Promise<void> {
  steps.choose('shop.orders');
  await pass();
  await answer();
}

function draft() {
  if (state.step !== 'form' && state.step !== 'sent') {
    throw new Error(`in step ${state.step}`);
  }
  return state.draft;
}

beforeEach(async () => {
  vi.useFakeTimers();
  server = new MemoryServer();
  server.table('topic_requests', texts(...REQUEST_COLUMNS), []);
  server.inputs.add('topic_requests');
  server.table('topic_looks', texts(...Object.keys(lookRow(''))), [lookRow('of another viewer')]);
  hub = new TableHub(server.login);
  const signedIn = hub.signIn('secret');
  await pass();
  await signedIn;
  applied = [];
  steps = new AddTable(
    hub,
    (flow, declaration) => applied.push({ flow, declaration }),
    (next) => (state = next),
  );
});

afterEach(() => {
  vi.useRealTimers();
});

describe('AddTable', () => {
  it('looks at the topic that was chosen, and reads its own answer alone', async () => {
    steps.choose('shop.orders');
    await pass();
    expect(state).toEqual({ step: 'looking', topic: 'shop.orders' });
    expect(request()).toMatchObject({ topic: 'shop.orders', declaration: null, offset: null });
    await answer();
    expect(state.step).toBe('form');
    expect(draft().look.declaration).toEqual(ORDERS);
    expect(draft().text).toBe('title = "Shop orders"\n');
    expect(hub.openViewports).toBe(0);
  });

  it('shows the records of a topic that no flow can be made of', async () => {
    steps.choose('shop.orders');
    await pass();
    await answer({ declaration: '', text: '', problem: 'no JSON' });
    expect(draft().look).toMatchObject({ declaration: null, problem: 'no JSON' });
    expect(draft().look.records).toHaveLength(2);
    steps.start();
    expect(applied).toEqual([]);
  });

  it('goes back to the topics when there is no connection or no answer', async () => {
    steps.choose('shop.orders');
    await pass(ANSWER_TIMEOUT + 100);
    expect(state).toMatchObject({ step: 'choose', problem: expect.stringContaining('answered') });
    expect(hub.openViewports).toBe(0);
    server.crash();
    steps.choose('shop.orders');
    await pass();
    expect(state).toMatchObject({ step: 'choose', problem: expect.stringContaining('onnect') });
  });

  it('takes the answer to the topic that was chosen last', async () => {
    steps.choose('shop.orders');
    await pass();
    const first = request()['id']!;
    steps.choose('shop.people');
    await pass();
    await answer({ topic: 'shop.orders' }, first);
    expect(state).toEqual({ step: 'looking', topic: 'shop.people' });
    await answer({ topic: 'shop.people' });
    expect(draft().look.topic).toBe('shop.people');
  });

  it('has a change checked once the typing rests, and shows what is wrong', async () => {
    await look();
    const id = request()['id'];
    steps.edit({ name: 'o' });
    steps.edit({ name: 'orders' });
    expect(draft()).toMatchObject({ checking: true, edits: { name: 'orders' } });
    await pass(CHECK_AFTER + 50);
    expect(requests()).toHaveLength(2);
    expect(request()['look']).toBe(id);
    expect(JSON.parse(request()['declaration']!)).toEqual({ ...ORDERS, name: 'orders' });
    const problems = [{ where: '', place: 'name', what: 'is there', do: 'choose another' }];
    await answer({ declaration: '', text: 'new', problems: JSON.stringify(problems) });
    expect(draft()).toMatchObject({
      text: 'new',
      checking: false,
      problems: [{ place: 'name', text: 'is there; choose another' }],
    });
    steps.start();
    expect(applied).toEqual([]);
  });

  it('says when a change could not be checked, and keeps it', async () => {
    await look();
    server.refusal = 'full';
    steps.edit({ title: 'Orders' });
    await pass(CHECK_AFTER + 100);
    expect(draft()).toMatchObject({ checking: false, edits: { title: 'Orders' } });
    expect(draft().unchecked).toContain('full');
    expect(draft().text).toBe('title = "Shop orders"\n');
  });

  it('asks for the flow with all changes, also those not checked yet', async () => {
    await look();
    steps.edit({ name: 'orders', without: new Set(['zip']) });
    steps.start();
    expect(applied.map(({ flow }) => flow)).toEqual(['orders']);
    expect(JSON.stringify(applied[0]!.declaration)).not.toContain('zip');
    await pass(CHECK_AFTER + 100);
    expect(requests()).toHaveLength(1);
  });

  it('goes back to the form with the changes after a refusal, and from there to the topics', async () => {
    await look();
    steps.edit({ name: 'orders' });
    steps.start();
    steps.edit({ name: 'too late' });
    steps.back();
    expect(draft().edits.name).toBe('orders');
    steps.back();
    expect(state).toEqual({ step: 'choose', problem: null });
  });

  it('waits for nothing once it is stopped', async () => {
    steps.choose('shop.orders');
    await pass();
    steps.stop();
    expect(hub.openViewports).toBe(0);
    await answer();
    expect(state.step).toBe('looking');
  });
});

describe('phaseOf', () => {
  const stage = (is: Stage['state']): Stage => ({
    state: is,
    text: '',
    generation: null,
    builds: true,
    overdue: false,
  });

  it('follows the request once it is sent', async () => {
    expect(phaseOf({ step: 'choose', problem: null }, stage('live'))).toBe('choose');
    await look();
    expect(phaseOf(state, stage('live'))).toBe('form');
    steps.start();
    const phases = (['sent', 'building', 'caught-up', 'live', 'refused', 'failed'] as const).map(
      (is) => phaseOf(state, stage(is)),
    );
    expect(phases).toEqual(['starting', 'starting', 'starting', 'live', 'refused', 'refused']);
  });
});

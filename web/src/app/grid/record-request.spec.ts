import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ANSWER_TIMEOUT } from '../topic-looks/ask';
import { recordRow, REQUEST_COLUMNS } from '../topic-looks/testing/looks';
import { rawRecordJson, rawRecordView } from './raw-record';
import { isOlder, noteOf, RecordRequest, type RecordState } from './record-request';
import { pass, usersWorld } from './testing/world';

const PLACE = { topic: 'users', partition: '0', offset: '12' };
const TEXT = 'java.lang.String';
const texts = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, TEXT]));

let world: Awaited<ReturnType<typeof usersWorld>>;
let state: RecordState;
let request: RecordRequest;

const asked = () => world.server.tables.get('topic_requests')!.rows as Record<string, string>[];

/** Answers the newest request, as the server does. */
async function answer(row: Record<string, string>): Promise<void> {
  world.server.tables.get('topic_looks')!.rows.push(row);
  world.server.touch('topic_looks');
  await pass();
}

/** Fetches the record at a place. */
async function fetched(more: Parameters<typeof recordRow>[1] = {}) {
  request.fetch(PLACE);
  await pass();
  await answer(recordRow(asked().at(-1)!['id']!, more));
  if (state.step !== 'shown') {
    throw new Error(`in step ${state.step}`);
  }
  return state.record;
}

beforeEach(async () => {
  world = await usersWorld(1);
  world.server.table('topic_requests', texts(REQUEST_COLUMNS), []);
  world.server.inputs.add('topic_requests');
  world.server.table('topic_looks', texts(Object.keys(recordRow(''))), [recordRow('other')]);
  request = new RecordRequest(world.hub, (next) => (state = next));
});

afterEach(() => {
  request.stop();
  vi.useRealTimers();
});

describe('RecordRequest', () => {
  it('asks for exactly that record, says that it waits, and lets go of the answer', async () => {
    request.fetch(PLACE);
    expect(state).toEqual({ step: 'waiting', place: PLACE });
    expect(noteOf(state, PLACE)).toBe('Reading offset 12 of partition 0 of users…');
    await pass();
    expect(asked()).toHaveLength(1);
    expect(asked()[0]).toMatchObject({ ...PLACE, declaration: null, look: null });
    await answer(recordRow(asked()[0]!['id']!));
    expect(state).toMatchObject({ step: 'shown', place: PLACE, record: { value: '{"id":1}' } });
    expect(noteOf(state, PLACE)).toBe('');
    expect(world.hub.openViewports).toBe(0);
  });

  it('marks a record that the row has moved on from', async () => {
    await fetched();
    const now = { ...PLACE, offset: '17' };
    expect([isOlder(state, PLACE), isOlder(state, now)]).toEqual([false, true]);
    expect(noteOf(state, now)).toContain('This is offset 12 of partition 0 of users.');
  });

  it('says why there is no record', async () => {
    request.fetch(PLACE);
    await pass();
    const gone = 'offset 12 of partition 0 of users is gone: Kafka has removed it';
    await answer({ ...recordRow(asked()[0]!['id']!), records: '[]', problem: gone });
    expect(noteOf(state, PLACE)).toBe(`The record cannot be shown: ${gone}.`);
    request.fetch(PLACE);
    await pass();
    await answer({ ...recordRow(asked()[1]!['id']!), records: '[]' });
    expect(noteOf(state, PLACE)).toBe('The record cannot be shown: the server has sent none.');
  });

  it('says when the server does not answer, cannot be asked or is too old for it', async () => {
    request.fetch(PLACE);
    await pass(ANSWER_TIMEOUT + 100);
    expect(noteOf(state, PLACE)).toBe('The server has not answered. Try again.');
    world.server.table('topic_requests', texts(['id', 'topic', 'declaration', 'look']), []);
    request.fetch(PLACE);
    await pass();
    expect(noteOf(state, PLACE)).toBe('Table topic_requests has no column partition.');
    world.server.crash();
    request.fetch(PLACE);
    await pass();
    expect(noteOf(state, PLACE)).toContain('no connection');
  });

  it('takes the answer to what was asked last, and none once it is stopped', async () => {
    request.fetch(PLACE);
    await pass();
    const later = { ...PLACE, offset: '13' };
    request.fetch(later);
    await pass();
    await answer(recordRow(asked()[0]!['id']!));
    expect(state).toEqual({ step: 'waiting', place: later });
    request.stop();
    await answer(recordRow(asked()[1]!['id']!));
    expect(state).toEqual({ step: 'waiting', place: later });
    expect(world.hub.openViewports).toBe(0);
  });
});

describe('rawRecordView', () => {
  it('writes JSON with a line for each value, and anything else as it is', async () => {
    const record = await fetched();
    expect(rawRecordView(record)).toMatchObject({ key: 'o1', value: '{\n  "id": 1\n}' });
    expect(rawRecordView({ ...record, value: '<b>x</b>' }).value).toBe('<b>x</b>');
    expect(rawRecordView({ ...record, value: null, at: -1 })).toMatchObject({
      value: null,
      written: 'no time',
    });
  });

  it('is copied with the text that is in Kafka', async () => {
    const record = await fetched({ value: '{"n":12345678901234567890}' });
    expect(JSON.parse(rawRecordJson(PLACE, record))).toEqual({
      ...PLACE,
      time: '1970-01-01T00:00:05.000Z',
      key: 'o1',
      headers: [{ name: 'trace', value: 'x' }],
      value: '{"n":12345678901234567890}',
    });
    expect(rawRecordJson(PLACE, { ...record, cut: true, bytes: 9 })).toContain('"cut": true');
  });
});

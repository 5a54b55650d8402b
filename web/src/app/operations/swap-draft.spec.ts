import { describe, expect, it } from 'vitest';
import type { FlowInfo } from '../catalogue/flows';
import type { LiveFlow } from './live-flows';
import { NO_ROWS, type LiveRows } from '../live-rows/live-rows';
import type { SourceTopic } from './source-topics';
import {
  draftOf,
  editsSince,
  fieldOf,
  messageOf,
  problemsOf,
  warningsOf,
  type Draft,
  type Known,
} from './swap-draft';

const CUSTOMERS: FlowInfo = {
  flow: 'customers',
  title: 'Customers',
  generation: 7,
  state: 'live',
  sources: [
    { name: 'users', topic: 'users' },
    { name: 'accounts', topic: 'accounts' },
  ],
  joins: true,
};
const POSITIONS: FlowInfo = {
  ...CUSTOMERS,
  flow: 'positions',
  sources: [{ name: 'positions', topic: 'gold' }],
  joins: false,
};
const LIVE: LiveFlow = { ...CUSTOMERS, join: 'inner', since: 1, lingerSeconds: 20 };
const [USERS, ACCOUNTS, TRADES] = ['users', 'accounts', 'positions'].map(fieldOf) as [
  string,
  string,
  string,
];
const KNOWN: Known = { live: LIVE, starting: 'earliest' };

const draft = (edits: Draft = {}): Draft => ({ ...draftOf(CUSTOMERS, LIVE), ...edits });
const problems = (edits: Draft, known = KNOWN) => problemsOf(draft(edits), CUSTOMERS, known);

describe('draftOf', () => {
  it('is what is live, from the earliest record', () => {
    expect(draft()).toEqual({
      [USERS]: 'users',
      [ACCOUNTS]: 'accounts',
      join: 'inner',
      start: 'earliest',
      time: '',
    });
  });

  it('is empty, with the first join, before anything is live', () => {
    expect(draftOf(CUSTOMERS, null)).toMatchObject({
      [USERS]: '',
      [ACCOUNTS]: '',
      join: 'left',
    });
  });
});

describe('problemsOf', () => {
  it('finds nothing wrong with another topic, join or start', () => {
    expect(problems({ [USERS]: 'users-b' })).toEqual({});
    expect(problems({ join: 'left' })).toEqual({});
    expect(problems({ start: 'latest' })).toEqual({});
    expect(problems({ start: 'time', time: '2026-05-01T12:00' })).toEqual({});
  });

  it('asks for what is empty', () => {
    expect(problems({ [USERS]: ' ', start: 'time' })).toEqual({
      [USERS]: 'Choose a topic.',
      time: 'Choose a date and a time.',
    });
  });

  it('refuses the same topic twice', () => {
    expect(problems({ [ACCOUNTS]: 'users' })).toEqual({
      [ACCOUNTS]: 'Each source needs a topic of its own.',
    });
  });

  it('says when nothing is changed, as far as it knows', () => {
    expect(problems({})).toEqual({ form: 'Nothing is changed: this is live already.' });
    expect(problems({ [USERS]: 'users ' })).toHaveProperty('form');
    expect(problems({}, { ...KNOWN, starting: 'latest' })).toEqual({});
    expect(problems({}, { ...KNOWN, live: null })).toEqual({});
  });
});

describe('warningsOf', () => {
  const topics = (total: number): LiveRows<SourceTopic> => ({
    rows: ['users', 'accounts'].map((topic) => ({ topic, partitions: 1, records: 1 })),
    total,
    state: { kind: 'live' },
    known: true,
    generation: null,
  });

  it('warns of a topic that is not in the list', () => {
    expect(warningsOf(draft({ [USERS]: 'nope', [ACCOUNTS]: '' }), CUSTOMERS, topics(2))).toEqual({
      [USERS]: 'Topic nope is not in the broker’s list.',
    });
    expect(warningsOf(draft(), CUSTOMERS, topics(2))).toEqual({});
  });

  it('says nothing while the list is not there, or not whole', () => {
    const nope = draft({ [USERS]: 'nope' });
    expect(warningsOf(nope, CUSTOMERS, NO_ROWS)).toEqual({});
    expect(warningsOf(nope, CUSTOMERS, topics(3))).toEqual({});
  });
});

describe('messageOf', () => {
  const sent = (made: Draft, flow: FlowInfo) =>
    JSON.parse(String(messageOf(made, flow)['message'])) as Record<string, unknown>;

  it('names the flow, every topic, the join and the start', () => {
    expect(sent(draft({ [USERS]: ' users-b ', start: 'latest' }), CUSTOMERS)).toEqual({
      flow: 'customers',
      topics: { users: 'users-b', accounts: 'accounts' },
      joinType: 'inner',
      startingOffsets: 'latest',
    });
  });

  it('sends a time with zone Z', () => {
    const time = '2026-05-01T12:00:30';
    const message = sent(draft({ start: 'time', time }), CUSTOMERS);
    expect(message['startingOffsets']).toBe(new Date(2026, 4, 1, 12, 0, 30).toISOString());
    expect(message['startingOffsets']).toMatch(/Z$/);
  });

  it('fits a flow of one topic and no join', () => {
    expect(sent({ ...draftOf(POSITIONS, null), [TRADES]: 'gold' }, POSITIONS)).toEqual({
      flow: 'positions',
      topics: { positions: 'gold' },
      startingOffsets: 'earliest',
    });
  });

  it('knows when nothing is changed in a flow of one topic', () => {
    const live: LiveFlow = { ...LIVE, ...POSITIONS, join: '' };
    const known: Known = { live, starting: 'earliest' };
    expect(problemsOf(draftOf(POSITIONS, live), POSITIONS, known)).toHaveProperty('form');
    const other = { ...draftOf(POSITIONS, live), [TRADES]: 'gold-b' };
    expect(problemsOf(other, POSITIONS, known)).toEqual({});
  });

  it('keeps a source apart whose name is that of a field', () => {
    const odd = { ...POSITIONS, sources: [{ name: 'start', topic: 't' }] };
    const made = draftOf(odd, { ...LIVE, ...odd, join: '' });
    expect(made).toMatchObject({ start: 'earliest', [fieldOf('start')]: 't' });
  });
});

describe('editsSince', () => {
  it('drops what was sent and keeps what was typed meanwhile', () => {
    const edits = { [USERS]: 'users-c', join: 'left' };
    expect(editsSince(edits, draft({ [USERS]: 'users-b', join: 'left' }))).toEqual({
      [USERS]: 'users-c',
    });
  });
});

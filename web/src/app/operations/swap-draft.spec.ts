import { describe, expect, it } from 'vitest';
import { FLOW_SPECS } from './flow-specs';
import type { LiveFlow } from './live-flows';
import { NO_ROWS, type LiveRows } from '../live-rows/live-rows';
import type { SourceTopic } from './source-topics';
import {
  draftOf,
  editsSince,
  messageOf,
  problemsOf,
  warningsOf,
  type Draft,
  type Known,
} from './swap-draft';

const CUSTOMERS = FLOW_SPECS[0]!;
const POSITIONS = FLOW_SPECS[1]!;
const LIVE: LiveFlow = {
  flow: 'customers',
  generation: 7,
  state: 'live',
  topics: { usersTopic: 'users', accountsTopic: 'accounts' },
  join: 'inner',
  since: 1,
  lingerSeconds: 20,
};
const KNOWN: Known = { live: LIVE, starting: 'earliest' };

const draft = (edits: Draft = {}): Draft => ({ ...draftOf(CUSTOMERS, LIVE), ...edits });
const problems = (edits: Draft, known = KNOWN) => problemsOf(draft(edits), CUSTOMERS, known);

describe('draftOf', () => {
  it('is what is live, from the earliest record', () => {
    expect(draft()).toEqual({
      users: 'users',
      accounts: 'accounts',
      join: 'inner',
      start: 'earliest',
      time: '',
    });
  });

  it('is empty, with the first join, before anything is live', () => {
    expect(draftOf(CUSTOMERS, null)).toMatchObject({ users: '', accounts: '', join: 'left' });
  });
});

describe('problemsOf', () => {
  it('finds nothing wrong with another topic, join or start', () => {
    expect(problems({ users: 'users-b' })).toEqual({});
    expect(problems({ join: 'left' })).toEqual({});
    expect(problems({ start: 'latest' })).toEqual({});
    expect(problems({ start: 'time', time: '2026-05-01T12:00' })).toEqual({});
  });

  it('asks for what is empty', () => {
    expect(problems({ users: ' ', start: 'time' })).toEqual({
      users: 'Choose a topic.',
      time: 'Choose a date and a time.',
    });
  });

  it('refuses the same topic twice', () => {
    expect(problems({ accounts: 'users' })).toEqual({
      accounts: 'Each source needs a topic of its own.',
    });
  });

  it('says when nothing is changed, as far as it knows', () => {
    expect(problems({})).toEqual({ form: 'Nothing is changed: this is live already.' });
    expect(problems({ users: 'users ' })).toHaveProperty('form');
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
    expect(warningsOf(draft({ users: 'nope', accounts: '' }), CUSTOMERS, topics(2))).toEqual({
      users: 'Topic nope is not in the broker’s list.',
    });
    expect(warningsOf(draft(), CUSTOMERS, topics(2))).toEqual({});
  });

  it('says nothing while the list is not there, or not whole', () => {
    const nope = draft({ users: 'nope' });
    expect(warningsOf(nope, CUSTOMERS, NO_ROWS)).toEqual({});
    expect(warningsOf(nope, CUSTOMERS, topics(3))).toEqual({});
  });
});

describe('messageOf', () => {
  it('names every topic, the join and the start', () => {
    expect(messageOf(draft({ users: ' users-b ', start: 'latest' }), CUSTOMERS)).toEqual({
      usersTopic: 'users-b',
      accountsTopic: 'accounts',
      joinType: 'inner',
      startingOffsets: 'latest',
    });
  });

  it('sends a time with zone Z', () => {
    const time = '2026-05-01T12:00:30';
    const message = messageOf(draft({ start: 'time', time }), CUSTOMERS);
    expect(message['startingOffsets']).toBe(new Date(2026, 4, 1, 12, 0, 30).toISOString());
    expect(message['startingOffsets']).toMatch(/Z$/);
  });

  it('fits a flow of one topic and no join', () => {
    const positions = { ...draftOf(POSITIONS, null), positions: 'gold' };
    expect(messageOf(positions, POSITIONS)).toEqual({
      positionsTopic: 'gold',
      startingOffsets: 'earliest',
    });
  });

  it('knows when nothing is changed in a flow of one topic', () => {
    const live: LiveFlow = {
      ...LIVE,
      flow: 'positions',
      topics: { positionsTopic: 'gold' },
      join: '',
    };
    const known: Known = { live, starting: 'earliest' };
    expect(problemsOf(draftOf(POSITIONS, live), POSITIONS, known)).toHaveProperty('form');
    const other = { ...draftOf(POSITIONS, live), positions: 'gold-b' };
    expect(problemsOf(other, POSITIONS, known)).toEqual({});
  });
});

describe('editsSince', () => {
  it('drops what was sent and keeps what was typed meanwhile', () => {
    const edits = { users: 'users-c', join: 'left' };
    expect(editsSince(edits, draft({ users: 'users-b', join: 'left' }))).toEqual({
      users: 'users-c',
    });
  });
});

import { describe, expect, it } from 'vitest';
import type { Receipt } from './receipts';
import type { Request } from './request-log';
import { isOutcome, PATIENCE, stageOf } from './request-stage';
import { receipt, ROLLED_BACK } from './testing/receipt';

const REQUEST: Request = {
  id: 'a',
  flow: 'customers',
  action: 'swap',
  sentAt: 1_000,
  problem: null,
  answer: null,
  outcome: null,
};

const answered = (control: number, problem = '', more: Partial<Request> = {}): Request => ({
  ...REQUEST,
  answer: { id: 'a', control, problem },
  ...more,
});

const follow = (request: Request | null, receipts: readonly Receipt[] = [], now = 2_000) =>
  stageOf(request, receipts, now);

describe('stageOf of a flow that is added or removed', () => {
  it('says of a new flow that it is built, and nothing of one that goes on', () => {
    const apply = answered(17, '', { action: 'apply', flow: 'orders' });
    expect(follow(apply, [receipt(7, 'building', 1)])).toMatchObject({
      state: 'building',
      text: 'Generation 7 is being built…',
      builds: true,
    });
    const reason = 'sources.orders.key: no';
    expect(follow(apply, [receipt(0, 'refused', 1, { control: 17, reason })])).toMatchObject({
      state: 'refused',
      text: `Refused: ${reason}`,
    });
  });

  it('is over when the flow is gone, and says why it is not', () => {
    const remove = answered(17, '', { action: 'remove', flow: 'orders' });
    const closed = receipt(3, 'closed', 1, { control: 17, reason: 'removed by message 17' });
    const gone = follow(remove, [closed]);
    expect(gone).toMatchObject({ state: 'removed', builds: false });
    expect(isOutcome(gone)).toBe(true);
    const refused = receipt(0, 'refused', 1, { control: 17, reason: 'nothing of it runs' });
    expect(follow(remove, [refused])).toMatchObject({ state: 'refused' });
  });
});

describe('stageOf before there are receipts', () => {
  it('is idle without a request', () => {
    expect(follow(null)).toMatchObject({ state: 'idle', text: '' });
  });

  it('waits for the answer, then for the pipeline', () => {
    expect(follow(REQUEST)).toMatchObject({ state: 'sent', overdue: false });
    expect(follow(answered(17))).toMatchObject({
      state: 'sent',
      text: 'Sent as control message 17. Waiting for the pipeline…',
    });
  });

  it('says when nothing comes', () => {
    const late = 1_001 + PATIENCE;
    expect(follow(REQUEST, [], late)).toMatchObject({ state: 'sent', overdue: true });
    const unheard = follow(answered(17), [], late);
    expect(unheard).toMatchObject({ state: 'sent', overdue: true });
    expect(unheard.text).toContain('Is the pipeline running?');
  });

  it('shows why the server did not send it', () => {
    expect(follow(answered(-1, 'nothing changes'))).toMatchObject({
      state: 'refused',
      text: 'Not sent: nothing changes',
    });
  });

  it('shows that it did not reach the server, unless an answer shows that it did', () => {
    const problem = 'No answer within 15 s.';
    expect(follow({ ...REQUEST, problem })).toMatchObject({
      state: 'failed',
      text: `The request failed: ${problem}`,
    });
    expect(follow(answered(17, '', { problem }))).toMatchObject({ state: 'sent' });
  });
});

describe('stageOf with receipts', () => {
  const life = [receipt(7, 'building', 1), receipt(7, 'caught-up', 3), receipt(7, 'live', 3.5)];

  it('follows a swap until it is live, whatever the order of the rows', () => {
    const states = [1, 2, 3].map((count) => follow(answered(17), life.slice(0, count).reverse()));
    expect(states.map(({ state }) => state)).toEqual(['building', 'caught-up', 'live']);
    expect(states[2]).toMatchObject({
      generation: 7,
      text: 'Generation 7 is live, 2.5 s after it began.',
    });
  });

  it('stays live when the generation is swapped out later', () => {
    const later = [...life, receipt(7, 'lingering', 60), receipt(7, 'closed', 80)];
    expect(follow(answered(17), later).state).toBe('live');
  });

  it('ignores the receipts of other messages, generations and flows', () => {
    const others = [
      receipt(8, 'live', 9),
      receipt(7, 'live', 9, { flow: 'positions', control: 18 }),
    ];
    expect(follow(answered(17), [receipt(7, 'building', 1), ...others]).state).toBe('building');
  });

  it('shows the reason of a message that was refused', () => {
    const refused = [
      receipt(0, 'refused', 1, { control: 16, reason: 'not JSON' }),
      receipt(0, 'refused', 2, { control: 17, reason: 'topic nope does not exist' }),
    ];
    expect(follow(answered(17), refused)).toEqual({
      state: 'refused',
      text: 'Refused: topic nope does not exist. The live generation goes on.',
      generation: null,
      builds: true,
      overdue: false,
    });
  });

  it('shows the reason of a generation that failed or was superseded', () => {
    const begun = receipt(7, 'building', 1);
    const failed = receipt(7, 'failed', 9, { reason: 'not caught up in 60 s' });
    const superseded = receipt(7, 'refused', 9, { reason: 'superseded by message 18' });
    expect(follow(answered(17), [begun, failed])).toMatchObject({ state: 'failed' });
    expect(follow(answered(17), [begun, superseded])).toMatchObject({ state: 'refused' });
    expect(follow(answered(17), [begun, receipt(7, 'closed', 9)])).toMatchObject({
      state: 'failed',
      text: 'Closed before it was live: no reason given. The live generation goes on.',
    });
  });

  it('follows a rollback by its own receipts, not by those of the message that built it', () => {
    const rollback = answered(18, '', { action: 'rollback' });
    expect(follow(rollback, ROLLED_BACK.slice(0, 4)).state).toBe('sent');
    expect(follow(rollback, ROLLED_BACK.slice(0, 5)).state).toBe('caught-up');
    expect(follow(rollback, ROLLED_BACK)).toMatchObject({
      state: 'live',
      text: 'Rolled back: generation 6 is live again.',
      builds: false,
    });
  });
});

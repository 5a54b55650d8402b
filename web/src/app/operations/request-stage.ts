import { ageText } from '../format/time-text';
import { byTime, type Receipt } from './receipts';
import type { Request } from './request-log';

/** How far a request has come, with a sentence for the viewer. */
export interface Stage {
  readonly state:
    'idle' | 'sent' | 'building' | 'caught-up' | 'live' | 'removed' | 'refused' | 'failed';
  readonly text: string;
  /** The generation that it is about, once there is one. */
  readonly generation: number | null;
  /** Whether a generation is built on the way; a rollback and a removal build none. */
  readonly builds: boolean;
  /** Whether an answer should have come by now, so that one may try again. */
  readonly overdue: boolean;
}

/** How long a request waits before it says that something may be wrong, in milliseconds. */
export const PATIENCE = 15_000;

const BUILDING: readonly Request['action'][] = ['swap', 'apply'];

/** Follows a request through the server's answer and the receipts, in any order. */
export function stageOf(request: Request | null, receipts: readonly Receipt[], now: number): Stage {
  return request
    ? { ...follow(request, receipts, now), builds: BUILDING.includes(request.action) }
    : stage('idle', '');
}

/** Whether nothing more will become of a request. */
export function isOutcome({ state }: Stage): boolean {
  return ['live', 'removed', 'refused', 'failed'].includes(state);
}

function follow(request: Request, receipts: readonly Receipt[], now: number): Stage {
  const { answer, problem, outcome } = request;
  if (outcome) {
    return outcome;
  }
  const overdue = now - request.sentAt > PATIENCE;
  if (!answer) {
    return problem === null
      ? unanswered(overdue)
      : stage('failed', `The request failed: ${problem}`);
  }
  if (answer.control < 0) {
    return stage('refused', `Not sent: ${answer.problem}`);
  }
  const ours = receiptsOf(receipts, answer.control);
  return ours.length === 0 ? unheard(answer.control, overdue) : told(request, ours);
}

/** The receipts that a control message brought about, oldest first. */
export function receiptsOf(receipts: readonly Receipt[], control: number): Receipt[] {
  return receipts.filter((receipt) => receipt.control === control).sort(byTime);
}

function unanswered(overdue: boolean): Stage {
  const text = overdue
    ? 'The server has not answered yet. It may be restarting; if nothing happens, send it again.'
    : 'Sent. Waiting for the server’s answer…';
  return { ...stage('sent', text), overdue };
}

function unheard(control: number, overdue: boolean): Stage {
  const text = overdue
    ? `Control message ${control} was sent, but nothing came of it yet. Is the pipeline running?`
    : `Sent as control message ${control}. Waiting for the pipeline…`;
  return { ...stage('sent', text), overdue };
}

/** What the receipts of a request say; once it was live, what comes later is another story. */
function told({ action, flow }: Request, ours: readonly Receipt[]): Stage {
  const first = ours[0] as Receipt;
  const { generation } = first;
  const find = (...states: Receipt['state'][]) => ours.find(({ state }) => states.includes(state));
  const live = find('live');
  if (live) {
    const text =
      action === 'rollback'
        ? `Rolled back: generation ${generation} is live again.`
        : `Generation ${generation} is live, ${ageText(live.at - first.at)} after it began.`;
    return stage('live', text, generation);
  }
  if (action === 'remove' && find('closed')) {
    return stage('removed', `Flow ${flow} is removed, and its tables with it.`);
  }
  const ended = find('refused', 'failed', 'closed');
  if (ended) {
    const state = ended.state === 'refused' ? 'refused' : 'failed';
    const word = { refused: 'Refused', failed: 'Failed', closed: 'Closed before it was live' };
    const why = word[ended.state as keyof typeof word];
    // A flow that is new has nothing that could go on.
    const rest = action === 'apply' ? '' : '. The live generation goes on.';
    const text = `${why}: ${ended.reason || 'no reason given'}${rest}`;
    return stage(state, text, generation || null);
  }
  return find('caught-up')
    ? stage('caught-up', `Generation ${generation} has caught up and takes over…`, generation)
    : stage('building', `Generation ${generation} is being built${beside(action)}…`, generation);
}

function beside(action: Request['action']): string {
  return action === 'apply' ? '' : ' beside the live one';
}

function stage(state: Stage['state'], text: string, generation: number | null = null): Stage {
  return { state, text, generation, builds: true, overdue: false };
}

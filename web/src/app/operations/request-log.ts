import type { RowValues } from '../deephaven/add-row';
import { reasonOf } from '../deephaven/errors';
import { randomId } from '../deephaven/random-id';
import type { RecordReader } from '../live-rows/read-records';
import type { Receipt } from './receipts';
import { isOutcome, stageOf, type Stage } from './request-stage';

/** The input table that takes what a viewer asks for. */
const REQUESTS_TABLE = 'swap_requests';

/** What the server says about a request. */
export interface Answer {
  readonly id: string;
  /** The offset of the control message that was sent; -1 if it was not. */
  readonly control: number;
  /** Why it was not sent. */
  readonly problem: string;
}

/** Something that the viewer asked for. */
export interface Request {
  readonly id: string;
  readonly flow: string;
  readonly action: 'swap' | 'rollback' | 'apply' | 'remove';
  /** Epoch milliseconds, by this clock. */
  readonly sentAt: number;
  /** Why it did not reach the server; null as far as is known. */
  readonly problem: string | null;
  readonly answer: Answer | null;
  /** What became of it in the end. */
  readonly outcome: Stage | null;
}

/** Reads a row of `swap_answers`. */
export function readAnswer(row: RecordReader): Answer {
  return {
    id: row.text('id'),
    control: row.number('control') ?? -1,
    problem: row.text('problem'),
  };
}

/** Sends requests, and remembers the last one of each flow with its answer. */
export class RequestLog {
  private requests: readonly Request[] = [];

  constructor(
    private readonly addRow: (table: string, values: RowValues) => Promise<void>,
    private readonly changed: (requests: readonly Request[]) => void,
  ) {}

  /** Asks the server for something; what goes wrong becomes part of the request. */
  async send(flow: string, action: Request['action'], message: RowValues): Promise<void> {
    const id = randomId();
    const request: Request = {
      id,
      flow,
      action,
      sentAt: Date.now(),
      problem: null,
      answer: null,
      outcome: null,
    };
    this.tell([...this.requests.filter((other) => other.flow !== flow), request]);
    try {
      await this.addRow(REQUESTS_TABLE, { id, ...message });
    } catch (error) {
      this.update(id, { problem: reasonOf(error) });
    }
  }

  /** Notes answers and outcomes of our requests; they stay known when the server forgets them. */
  receive(answers: readonly Answer[], receipts: readonly Receipt[]): void {
    for (const request of this.requests) {
      const answer = request.answer ?? answers.find(({ id }) => id === request.id) ?? null;
      if (answer && !request.outcome) {
        const stage = stageOf({ ...request, answer }, receipts, Date.now());
        const outcome = isOutcome(stage) ? stage : null;
        if (answer !== request.answer || outcome) {
          this.update(request.id, { answer, outcome });
        }
      }
    }
  }

  private update(id: string, change: Partial<Request>): void {
    if (this.requests.some((request) => request.id === id)) {
      this.tell(
        this.requests.map((request) => (request.id === id ? { ...request, ...change } : request)),
      );
    }
  }

  private tell(requests: readonly Request[]): void {
    this.requests = requests;
    this.changed(requests);
  }
}

import { reasonOf } from '../deephaven/errors';
import { randomId } from '../deephaven/random-id';
import type { TableHub } from '../deephaven/table-hub';
import { watchRows } from '../live-rows/live-rows';
import { readLook, type Look } from './look';

/** The input table that takes what is to be looked at or checked, and the one with the answers. */
const REQUESTS_TABLE = 'topic_requests';
const LOOKS_TABLE = 'topic_looks';

/** How long an answer is waited for, in milliseconds; the server gives up on a look before. */
export const ANSWER_TIMEOUT = 40_000;

/** What it needs of the hub. */
export type AskHub = Pick<TableHub, 'addRow' | 'subscribe'>;

/** What can be asked: columns of `topic_requests`; one that is left out is empty. */
export interface Question {
  readonly topic?: string;
  /** With the offset, the one record that is wanted. */
  readonly partition?: string;
  readonly offset?: string;
  /** A declaration to check, and the id of the look it was made of. */
  readonly declaration?: string;
  readonly look?: string;
}

/**
 * Asks the server about a topic or a declaration, and calls back once: with the answer, or with a
 * sentence why there is none. Returns a function that waits no longer.
 */
export function ask(
  hub: AskHub,
  question: Question,
  answered: (look: Look) => void,
  failed: (problem: string) => void,
): () => void {
  const id = randomId();
  let open = true;
  const stop = () => {
    open = false;
    clearTimeout(late);
    unsubscribe();
  };
  const end = (tell: () => void) => {
    if (open) {
      stop();
      tell();
    }
  };
  const late = setTimeout(
    () => end(() => failed('The server has not answered. Try again.')),
    ANSWER_TIMEOUT,
  );
  const query = {
    table: LOOKS_TABLE,
    sort: [],
    filters: [{ column: 'id', op: 'is' as const, text: id }],
  };
  const unsubscribe = watchRows(hub, query, 1, readLook, ({ rows: [look] }) => {
    if (look) {
      // Not from within the subscription's own call.
      queueMicrotask(() => end(() => answered(look)));
    }
  });
  hub
    .addRow(REQUESTS_TABLE, { id, ...question })
    .catch((error: unknown) => end(() => failed(reasonOf(error))));
  return stop;
}

import { ask, type AskHub } from '../topic-looks/ask';
import type { LookRecord } from '../topic-looks/look';
import { placeText, samePlace, type RecordPlace } from './record-place';

/** How far a viewer is with the record of a row; `place` is what was asked for. */
export type RecordState =
  | { readonly step: 'idle' }
  | { readonly step: 'waiting'; readonly place: RecordPlace }
  | { readonly step: 'failed'; readonly place: RecordPlace; readonly problem: string }
  | { readonly step: 'shown'; readonly place: RecordPlace; readonly record: LookRecord };

/** Fetches records from Kafka, as they are there, through the server; the last one asked for counts. */
export class RecordRequest {
  private stopWaiting: () => void = () => undefined;

  constructor(
    private readonly hub: AskHub,
    private readonly changed: (state: RecordState) => void,
  ) {}

  /** Asks for the record at a place. */
  fetch(place: RecordPlace): void {
    this.stop();
    this.changed({ step: 'waiting', place });
    this.stopWaiting = ask(
      this.hub,
      { ...place },
      ({ problem, records: [record] }) =>
        this.changed(
          record && problem === ''
            ? { step: 'shown', place, record }
            : { step: 'failed', place, problem: refusedText(problem) },
        ),
      (problem) => this.changed({ step: 'failed', place, problem }),
    );
  }

  /** Waits for nothing any more. */
  stop(): void {
    this.stopWaiting();
  }
}

/** What is said of a state while the row stands at `now`; empty if there is nothing to say. */
export function noteOf(state: RecordState, now: RecordPlace | null): string {
  switch (state.step) {
    case 'idle':
      return '';
    case 'waiting':
      return `Reading ${placeText(state.place)}…`;
    case 'failed':
      return state.problem;
    case 'shown':
      return isOlder(state, now)
        ? `This is ${placeText(state.place)}. The row has moved on to another record.`
        : '';
  }
}

/** Whether the record that is shown is no longer the one of the row. */
export function isOlder(state: RecordState, now: RecordPlace | null): boolean {
  return state.step === 'shown' && !samePlace(state.place, now);
}

function refusedText(problem: string): string {
  return `The record cannot be shown: ${problem || 'the server has sent none'}.`;
}

import { percentChangeText } from '../format/number-text';
import type { RecordReader } from '../live-rows/read-records';

/** A number of a view before and after a swap. */
export interface Change {
  readonly before: number;
  readonly after: number;
}

/** Rows and keys of one view, of the live generation against the new one. */
export interface ViewPreview {
  readonly flow: string;
  readonly generation: number;
  readonly view: string;
  readonly rows: Change;
  readonly keys: Change;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Reads a row of `preview`. */
export function readViewPreview(row: RecordReader): ViewPreview {
  const change = (name: string): Change => ({
    before: row.number(`${name}Before`) ?? 0,
    after: row.number(`${name}After`) ?? 0,
  });
  return {
    flow: row.text('flow'),
    generation: row.number('generation') ?? 0,
    view: row.text('view'),
    rows: change('rows'),
    keys: change('keys'),
    at: row.time('at') ?? 0,
  };
}

/** The views of a flow's generation that was counted last: the one being built, or else the last. */
export function newestPreview(previews: readonly ViewPreview[], flow: string): ViewPreview[] {
  const ours = previews.filter((one) => one.flow === flow);
  const newest = ours.reduce<ViewPreview | null>(
    (best, one) => (best === null || one.at > best.at ? one : best),
    null,
  );
  return ours
    .filter(({ generation }) => generation === newest?.generation)
    .sort((a, b) => a.view.localeCompare(b.view));
}

/** Whether there would be fewer. */
export function falls({ before, after }: Change): boolean {
  return after < before;
}

/** A change in per cent, in few characters. */
export function changeText({ before, after }: Change): string {
  if (before === after) {
    return 'same';
  }
  if (before === 0) {
    return 'new';
  }
  return percentChangeText(((after - before) / before) * 100);
}

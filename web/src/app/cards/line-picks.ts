import { MOST_LINES } from './line-choice';

/** What a list of names says of the lines: those it adds, those it removes, and what it may select. */
export interface LinePicks {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** What is selected then: no more than there is room for. */
  readonly selected: readonly string[];
}

/** What changes when these of the offered names are selected; others that are drawn stay. */
export function picksOf(
  drawn: readonly string[],
  offered: readonly string[],
  selected: readonly string[],
): LinePicks {
  const removed = drawn.filter((name) => offered.includes(name) && !selected.includes(name));
  const room = MOST_LINES - drawn.length + removed.length;
  const wanted = selected.filter((name) => !drawn.includes(name));
  const added = wanted.slice(0, room);
  const none = wanted.slice(room);
  return { added, removed, selected: selected.filter((name) => !none.includes(name)) };
}

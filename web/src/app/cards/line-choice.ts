import { keepList, readKeptList, type Kept } from './kept-text';

/** How many lines can be chosen. */
export const MOST_LINES = 6;
/** How many are chosen for a viewer who has not. */
export const FIRST_LINES = 3;

/**
 * The lines to begin with, of the names that there are: those before stay, unless one is gone or
 * there is room for more.
 */
export function firstLines(before: readonly string[], names: readonly string[]): readonly string[] {
  const isFull = before.length === Math.min(FIRST_LINES, names.length);
  return isFull && before.every((name) => names.includes(name))
    ? before
    : names.slice(0, FIRST_LINES);
}

/** The lines that are drawn; what the viewer chose is kept for this tab. */
export class LineChoice {
  private chosen: readonly string[] | null;
  private suggested: readonly string[] = [];

  constructor(
    private readonly storage: Kept,
    /** What it is kept under. */
    private readonly key: string,
    private readonly changed: (names: readonly string[]) => void,
  ) {
    this.chosen = readKeptList(storage, key)?.slice(0, MOST_LINES) ?? null;
  }

  /** The lines in the order in which they were chosen. */
  get names(): readonly string[] {
    return this.chosen ?? this.suggested;
  }

  /** Whether the viewer has chosen nothing, not even nothing. */
  get undecided(): boolean {
    return this.chosen === null;
  }

  /** Shows the first of these to a viewer who has not chosen. */
  suggest(names: readonly string[]): void {
    if (this.chosen === null) {
      this.suggested = names.slice(0, FIRST_LINES);
      this.changed(this.suggested);
    }
  }

  /** Adds a line, unless it is there or there are enough. */
  add(name: string): void {
    if (name !== '' && !this.names.includes(name) && this.names.length < MOST_LINES) {
      this.choose([...this.names, name]);
    }
  }

  /** Shows these, as a link says. */
  take(names: readonly string[]): void {
    this.choose(names.slice(0, MOST_LINES));
  }

  /** Forgets what the viewer chose, as if they never had. */
  forget(): void {
    this.chosen = null;
    this.storage.removeItem(this.key);
    this.changed(this.names);
  }

  /** Removes a line. */
  remove(name: string): void {
    this.choose(this.names.filter((other) => other !== name));
  }

  private choose(names: readonly string[]): void {
    this.chosen = names;
    keepList(this.storage, this.key, names);
    this.changed(names);
  }
}

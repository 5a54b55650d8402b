import { keepList, readKeptList, type Kept } from './kept-text';

/** How many symbols can be chosen. */
export const MOST_SYMBOLS = 6;
/** How many are chosen for a viewer who has not. */
export const FIRST_SYMBOLS = 3;

const KEPT = 'tidegrid.gold.symbols';

/** The symbols whose prices are drawn; what the viewer chose is kept for this tab. */
export class SymbolChoice {
  private chosen: readonly string[] | null;
  private suggested: readonly string[] = [];

  constructor(
    private readonly storage: Kept,
    private readonly changed: (symbols: readonly string[]) => void,
  ) {
    this.chosen = readKeptList(storage, KEPT)?.slice(0, MOST_SYMBOLS) ?? null;
  }

  /** The symbols in the order in which they were chosen. */
  get symbols(): readonly string[] {
    return this.chosen ?? this.suggested;
  }

  /** Whether the viewer has chosen nothing, not even nothing. */
  get undecided(): boolean {
    return this.chosen === null;
  }

  /** Shows the first of these to a viewer who has not chosen. */
  suggest(symbols: readonly string[]): void {
    if (this.chosen === null) {
      this.suggested = symbols.slice(0, FIRST_SYMBOLS);
      this.changed(this.suggested);
    }
  }

  /** Adds a symbol, unless it is there or there are enough. */
  add(symbol: string): void {
    if (symbol !== '' && !this.symbols.includes(symbol) && this.symbols.length < MOST_SYMBOLS) {
      this.choose([...this.symbols, symbol]);
    }
  }

  /** Removes a symbol. */
  remove(symbol: string): void {
    this.choose(this.symbols.filter((other) => other !== symbol));
  }

  private choose(symbols: readonly string[]): void {
    this.chosen = symbols;
    keepList(this.storage, KEPT, symbols);
    this.changed(symbols);
  }
}

/** How long to wait before the next attempt. */
export interface BackoffOptions {
  /** The longest first wait, in milliseconds. */
  readonly base: number;
  /** The longest wait of all, in milliseconds. */
  readonly cap: number;
  /** A source of numbers from 0 to 1. */
  readonly random: () => number;
}

/** The default waits: up to half a second at first, never more than five seconds. */
export const DEFAULT_BACKOFF: BackoffOptions = { base: 500, cap: 5_000, random: Math.random };

/** Milliseconds to wait after so many failures: doubles, with half of it left to chance. */
export function backoffDelay(failures: number, options: BackoffOptions = DEFAULT_BACKOFF): number {
  const longest = Math.min(options.cap, options.base * 2 ** Math.max(0, failures - 1));
  return Math.round(longest * (0.5 + options.random() / 2));
}

/** What the server lets pages do; it is told to everybody, before any log-in. */
export interface PageSettings {
  /** Whether grids offer to save rows as files. */
  readonly exports: boolean;
}

/** What a page may do that has heard nothing: a button that comes is better than one that goes. */
export const UNKNOWN_SETTINGS: PageSettings = { exports: false };

/**
 * Deephaven serves the page's folder as it is. A field of the plugins' manifest would not arrive:
 * Deephaven writes a manifest of its own from the entries that it knows.
 */
const PATH = '/js-plugins/tidegrid/settings.json';

/** Reads the settings of the page; null if the server does not tell them in time. */
export async function readPageSettings(
  origin: string,
  timeout: number,
): Promise<PageSettings | null> {
  try {
    const signal = AbortSignal.timeout(timeout);
    const response = await fetch(`${origin}${PATH}`, { cache: 'no-store', signal });
    return response.ok ? settingsOf(await response.json()) : null;
  } catch {
    return null;
  }
}

function settingsOf(told: unknown): PageSettings | null {
  const isObject = typeof told === 'object' && told !== null;
  return isObject && 'exports' in told && typeof told.exports === 'boolean'
    ? { exports: told.exports }
    : null;
}

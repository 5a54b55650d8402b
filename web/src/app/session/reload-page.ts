/** When the page was opened anew, for this tab. */
const KEPT = 'tidegrid.opened-anew';
/** Milliseconds in which it is not done twice: whatever is wrong then, it does not help. */
const PAUSE = 60_000;

/** The part of a window that is used. */
export interface Opener {
  readonly location: Pick<Location, 'hash' | 'reload'>;
  readonly sessionStorage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly fetch: (address: string, options: RequestInit) => Promise<Pick<Response, 'ok'>>;
}

/**
 * Opens the whole page at an address whose part could not be loaded, if the server answers: then it
 * has a newer page without that part, or the browser remembers that loading it failed once.
 */
export async function reloadPage(url: string, { location, sessionStorage, fetch }: Opener) {
  const now = Date.now();
  if (now - Number(sessionStorage.getItem(KEPT)) < PAUSE) {
    return;
  }
  const answer = await fetch('', { cache: 'no-store' }).catch(() => null);
  if (answer?.ok) {
    sessionStorage.setItem(KEPT, String(now));
    location.hash = url;
    location.reload();
  }
}

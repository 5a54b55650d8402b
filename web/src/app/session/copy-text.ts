/** The part of a document that is used. */
export type CopyingPage = Pick<Document, 'execCommand'> & Pick<EventTarget, 'addEventListener'>;

/**
 * Puts text on the clipboard; returns whether the browser allowed it. It answers the event of a copy
 * instead of selecting anything: without TLS there is no `navigator.clipboard`, and while a modal
 * dialog is open nothing outside of it can be selected. A browser that copies only what is selected
 * is asked in its own way.
 */
export async function copyText(
  text: string,
  page: CopyingPage = document,
  clipboard: Pick<Clipboard, 'writeText'> | undefined = navigator.clipboard,
): Promise<boolean> {
  if (answerCopy(text, page)) {
    return true;
  }
  try {
    await clipboard?.writeText(text);
    return clipboard !== undefined;
  } catch {
    return false;
  }
}

/** Copies a link to an address in this page; where that is not allowed, it is shown to be copied. */
export async function copyLink(path: string): Promise<void> {
  const url = `${location.href.split('#')[0]}#${path}`;
  if (!(await copyText(url))) {
    prompt('Copy this link', url);
  }
}

function answerCopy(text: string, page: CopyingPage): boolean {
  const over = new AbortController();
  let answered = false;
  page.addEventListener(
    'copy',
    (event) => {
      (event as ClipboardEvent).clipboardData?.setData('text/plain', text);
      event.preventDefault();
      // A grid would copy its cell.
      event.stopImmediatePropagation();
      answered = true;
    },
    { capture: true, signal: over.signal },
  );
  page.execCommand('copy');
  over.abort();
  return answered;
}

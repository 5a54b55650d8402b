/** Puts a link on the clipboard; where a browser has none for this page, it is shown to be copied. */
export async function copyLink(url: string, view: Window = window): Promise<void> {
  try {
    await view.navigator.clipboard.writeText(url);
  } catch {
    view.prompt('Copy this link', url);
  }
}

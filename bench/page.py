"""The page: from the log-in to the first rows on the screen, and what it loads before that."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Browser

from bench.browser import chromium
from bench.options import Options
from bench.report import say
from bench.rows import Row, spread
from bench.whole import Whole, whole

#: Seconds of the sample feed before it counts: a server that has just started is slower.
_WARM = 90
_TIMES = 12
#: The least time to paste a key in, in milliseconds: the page goes on loading meanwhile.
_PASTED = 1000
#: Notes when the button is pressed and when the first cell with a text was painted after it.
_WATCH = """
() => {
  const button = document.querySelector('[data-testid=login-submit]');
  window.shown = new Promise(resolve => {
    button.addEventListener('click', () => {
      const begun = performance.now();
      const watcher = new MutationObserver(() => {
        const cell = document.querySelector('[data-testid=panel-users] [data-testid=cell-name]');
        if (!cell?.textContent) return;
        watcher.disconnect();
        // A frame after the one that has it has been painted.
        const painted = () => resolve(performance.now() - begun);
        requestAnimationFrame(() => requestAnimationFrame(painted));
      });
      watcher.observe(document.body, { childList: true, subtree: true, characterData: true });
    }, { capture: true, once: true });
  });
}
"""
#: Bytes on the wire of the page and of the files that it names: what the log-in waits for.
INITIAL = """
() => {
  const named = document.querySelectorAll('script[src], link[href]');
  const urls = new Set([...named].map(element => element.src || element.href));
  return performance
    .getEntries()
    .filter(entry => entry.entryType === 'navigation' || urls.has(entry.name))
    .reduce((sum, entry) => sum + entry.encodedBodySize, 0);
}
"""


def measure(_options: Options, add: Callable[[Row], None]) -> None:
    """Sign in again and again, each time as a viewer whose browser has never seen the page."""
    with whole() as running, chromium() as browser:
        page = browser.new_page()
        running.sign_in(page)
        page.wait_for_timeout(_WARM * 1000)
        page.close()
        waits = []
        for number in range(_TIMES):
            wait, loaded = _sign_in(browser, running)
            say(f"sign-in {number + 1}: first rows after {wait:.0f} ms")
            waits.append(wait)
        found = spread(waits)
        at = "sample feed, warm"
        add(Row("first_paint", "tidegrid", at, found.p50, None, found.max, samples=_TIMES))
        add(Row("page_loaded", "tidegrid", "before the log-in", value=loaded / 1000, unit="kB"))


def _sign_in(browser: Browser, running: Whole) -> tuple[float, float]:
    """Return the milliseconds to the first rows, and the bytes loaded before the log-in."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    try:
        page = context.new_page()
        page.goto(running.settings.url)
        page.get_by_test_id("login-psk").fill(running.key)
        loaded = float(page.evaluate(INITIAL))
        page.evaluate(_WATCH)
        page.wait_for_timeout(_PASTED)
        page.get_by_test_id("login-submit").click()
        return float(page.evaluate("() => shown")), loaded
    finally:
        context.close()

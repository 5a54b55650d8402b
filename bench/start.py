"""A start on a home folder that was used before: from `tidegrid up` to the first painted row."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from playwright.sync_api import Browser

from bench.browser import chromium
from bench.options import Options
from bench.report import say
from bench.rows import Row, spread
from bench.whole import Whole, whole

#: Seconds of the first start, in which the class data archives are made in the background.
_FIRST = 150
#: Milliseconds between two tries to reach the page.
_LOOK_EVERY = 50


def measure(options: Options, add: Callable[[Row], None]) -> None:
    """Start once, as a new user does, then again and again, with the sample feed."""
    with whole(started=False) as stack, chromium() as browser:
        say(f"first start, {_FIRST} s")
        stack.start()
        stack.wait()
        time.sleep(_FIRST)
        found = []
        for number in range(options.starts):
            stack.stop()
            begun = time.monotonic()
            stack.start()
            found.append(_painted(browser, stack, begun))
            say(f"start {number + 1}: first row painted after {found[-1]:.1f} s")
        seen = spread(found)
        row = Row("start_again", "tidegrid", "sample feed", seen.p50, None, seen.max, unit="s")
        add(replace(row, samples=len(found)))


def _painted(browser: Browser, stack: Whole, begun: float) -> float:
    """Return the seconds until a viewer who logs in at once sees a row."""
    stack.wait()
    page = browser.new_page()
    try:
        while True:
            # The port is open a moment before the page is there.
            answer = page.request.get(stack.settings.url, fail_on_status_code=False)
            if answer.ok:
                break
            page.wait_for_timeout(_LOOK_EVERY)
        stack.sign_in(page)
        return time.monotonic() - begun
    finally:
        page.close()

"""What a viewer of the real page sees of one grid: when its rows changed, also across a crash."""

from __future__ import annotations

import itertools
from typing import Any

from playwright.sync_api import Page

from bench.processes import BenchError

#: Notes when a name in the grid changes, how the connection is, and the fewest rows there were.
_RECORD = """
() => {
  const table = document.querySelector('[data-testid=panel-table]');
  const bar = document.querySelector('[data-testid=status-bar]');
  const seen = (window.seen = { changes: [], connection: [], fewest: Infinity });
  let last = '';
  setInterval(() => {
    const cells = [...table.querySelectorAll('[data-testid=cell-name]')];
    const names = cells.map(cell => cell.textContent).join();
    seen.fewest = Math.min(seen.fewest, cells.length);
    if (names !== last) seen.changes.push(Date.now());
    last = names;
    const { connection } = bar.dataset;
    if (seen.connection.at(-1)?.[0] !== connection) seen.connection.push([connection, Date.now()]);
  }, 5);
}
"""
_EVERY = 100


class Screen:
    """The grid of a table that a page shows alone; times are epoch milliseconds."""

    def __init__(self, page: Page) -> None:
        """Begin to watch it."""
        self._page = page
        page.evaluate(_RECORD)

    def connection(self, since: float) -> list[tuple[str, float]]:
        """Return how the connection has changed since a time."""
        return [(str(k), float(at)) for k, at in self._seen("connection") if at > since]

    @property
    def fewest(self) -> int:
        """The fewest rows that were on the screen at any time."""
        return int(self._page.evaluate("() => seen.fewest"))

    def longest_pause(self, since: float, seconds: float, steady: float = 5) -> float:
        """Return the longest time without a change since the server was lost, in milliseconds.

        It waits, for so many seconds, until changes flow without a pause of one.
        """
        for _ in range(round(seconds * 1000 / _EVERY)):
            self._page.wait_for_timeout(_EVERY)
            back = [at for kind, at in self.connection(since) if kind == "connected"]
            came = [since, *(float(at) for at in self._seen("changes") if at > since)]
            pauses = list(itertools.pairwise(came))
            resumed = max((b for a, b in pauses if b - a > 1000), default=since)
            if back and came[-1] - max(resumed, back[-1]) > steady * 1000:
                return max(b - a for a, b in pauses)
        raise BenchError(f"no changes on the screen within {seconds:.0f} s")

    def _seen(self, what: str) -> Any:
        return self._page.evaluate("what => seen[what]", what)

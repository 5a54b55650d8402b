"""Chromium with the probe: the same small viewer for every system."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from bench.processes import BenchError

#: The joined view first: it is the one the targets are about.
TABLES = ("final_ui", "users_ui")
_ROWS = 200
_PROBE = Path(__file__).with_name("probe.js").read_text("utf-8")
_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@dataclass(frozen=True)
class Sample:
    """One change of a row, seen in the browser; both in milliseconds."""

    at: float
    latency: float


class Probe:
    """A page that is attached to one system's tables."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def first(self, table: str, seconds: float) -> float:
        """Wait for the first rows of a table and return when they came, in epoch milliseconds."""
        self._page.wait_for_function(
            "name => probe.first[name]", arg=table, timeout=seconds * 1000, polling=200
        )
        return float(self._page.evaluate("name => probe.first[name]", table))

    def samples(self, table: str) -> list[Sample]:
        """Return all that was seen of a table so far."""
        pairs = self._page.evaluate("name => probe.samples[name]", table)
        return [Sample(float(at), float(latency)) for at, latency in pairs]

    def watch(self, seconds: float) -> None:
        """Let the page run."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            self._page.wait_for_timeout(min(left, 1.0) * 1000)

    def watch_past(self, table: str, at: float, seconds: float) -> None:
        """Let the page run until it has seen an event made after a time, so that none is late."""
        deadline = time.monotonic() + seconds
        while not any(s.at > at for s in self.samples(table)):
            if time.monotonic() > deadline:
                raise BenchError(f"{table} is more than {seconds:.0f} s behind its events")
            self.watch(1)
        self.watch(1)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start a headless Chromium."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if not path:
        raise BenchError("Chromium is missing: make chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(_ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def attach(
    browser: Browser,
    port: int,
    key: str,
    interval: int | None,
    tables: Sequence[str] = TABLES,
) -> Iterator[Probe]:
    """Open a bare page of the server's own origin and attach the probe to its tables."""
    context = browser.new_context()
    try:
        page = context.new_page()
        # Any answer will do, even that there is no such page: what counts is whose it is.
        page.goto(f"http://127.0.0.1:{port}/probe")
        arguments = {"key": key, "tables": list(tables), "rows": _ROWS, "interval": interval}
        page.evaluate(_PROBE, arguments)
        yield Probe(page)
    finally:
        context.close()

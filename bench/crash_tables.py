"""How long a viewer of the page sees nothing new when their tables are killed: alone, and of two.

Alone, the same process is started again; of two behind a balancer, the page goes to the other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from playwright.sync_api import Page

from bench.balancer import Balancer
from bench.browser import TABLES, chromium
from bench.ground import ground
from bench.latency import first_rows, send
from bench.options import Options
from bench.report import say
from bench.rows import Row, spread
from bench.screen import Screen
from bench.systems import System, make_topics, start_tables, tidegrid
from tidegrid.settings import PAGE_PATH

#: Seconds after which `tidegrid up` starts a part again.
_AGAIN = 1.0
#: Seconds between a process that is up again and the next kill.
_BETWEEN = 10.0
_PATIENCE = 120.0


def measure(options: Options, add: Callable[[Row], None]) -> None:
    """Measure kills of the only tables process, then of one of two."""
    for name, count in (("crash_tables", 1), ("crash_tables_replica", 2)):
        with _running(options, count) as (systems, balancer, screen):
            pauses = []
            for number in range(options.kills):
                # With two the viewer goes to and fro between them.
                system = systems[number % count]
                begin = time.time() * 1000
                system.base.processes.stop(system.name)
                if count == 1:
                    time.sleep(_AGAIN)
                    start_tables(system)
                pauses.append(screen.longest_pause(begin, _PATIENCE))
                steps = ", ".join(f"{k} {at - begin:.0f}" for k, at in screen.connection(begin))
                say(f"kill {number + 1}: {pauses[-1]:,.0f} ms without a change ({steps})")
                if count > 1:
                    start_tables(system)
                balancer.wait_for(s.name for s in systems)
                time.sleep(_BETWEEN)
                system.base.processes.check()
            say(f"fewest rows on the screen: {screen.fewest}")
            seen = spread(pauses)
            at = f"{options.rate}/s, {options.kills} kills"
            add(Row(name, "tidegrid", at, seen.p50, None, seen.max, samples=seen.samples))


@contextmanager
def _running(options: Options, count: int) -> Iterator[tuple[Sequence[System], Balancer, Screen]]:
    """Start everything, the load and a viewer, whose tables are the first of so many."""
    with ground() as base, chromium() as browser:
        system = tidegrid(base)
        systems = [system]
        if count > 1:
            one_more = tidegrid(base)
            systems.append(replace(system, name="tidegrid-2", port=one_more.port))
        make_topics(base, system.sources)
        send(system, options)
        base.processes.wait("load", 60)
        for each in systems:
            start_tables(each)
        first_rows(browser, system)
        balancer = Balancer(base.settings.home, {s.name: s.port for s in systems})
        with balancer.running():
            names = [s.name for s in systems]
            balancer.send_to(names[:1])
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            page = context.new_page()
            _open(page, f"http://127.0.0.1:{balancer.port}{PAGE_PATH}", system.key)
            send(system, options, seconds=24 * 3600)
            balancer.send_to(names)
            screen = Screen(page)
            say(f"{count} tables: warming up for {options.warm:.0f} s")
            page.wait_for_timeout(options.warm * 1000)
            yield systems, balancer, screen


def _open(page: Page, url: str, key: str) -> None:
    """Sign in and show the joined view, the newest rows first: so each event changes the screen."""
    page.goto(url)
    page.get_by_test_id("login-psk").fill(key)
    page.get_by_test_id("login-submit").click()
    page.get_by_test_id("status-bar").wait_for(timeout=_PATIENCE * 1000)
    page.evaluate("view => { location.hash = '#/table/' + view }", TABLES[0])
    table = page.get_by_test_id("panel-table")
    for _ in range(2):
        table.get_by_test_id("header-ts").get_by_role("button").click()
    table.get_by_test_id("cell-name").first.wait_for()

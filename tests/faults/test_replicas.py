"""Two tables processes behind a balancer: either is killed, and viewers go on at the other."""

from __future__ import annotations

import functools
import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from bench.balancer import Balancer
from bench.screen import Screen
from tests.support.browser import Complaints, add_row, opened, read_view, sign_in
from tests.support.stack import PSK, REPLICA, Stack, eventually
from tests.support.worlds import FIRST_WORLD, ROLLBACK, live, lives, make_world, sent
from tidegrid import kafka
from tidegrid.contract import control, messages, topics
from tidegrid.kafka.receipt_log import ReceiptLog
from tidegrid.machine.ports import free_port
from tidegrid.stack.status import describe, newest_health

#: Milliseconds without a change that a viewer may see when their replica is killed. It is to be
#: half of this; here the broker, Spark, Deephaven twice and the browser share two cores.
MOST = 6000
USERS = 300


class Replicas:
    """The tables of the stack, another one beside them, and what is in front of both."""

    def __init__(self, stack: Stack, folder: Path) -> None:
        self._stack = stack
        self.ports = {"tables": stack.settings.tables.port, REPLICA: free_port()}
        self.balancer = Balancer(folder, self.ports)
        self.url = self.url_of(self.balancer.port)

    def url_of(self, port: int) -> str:
        """Return the address of the page at a port."""
        tables = replace(self._stack.settings.tables, port=port)
        return replace(self._stack.settings, tables=tables).url

    def start(self, name: str) -> None:
        """Start one of them, and return when it reports and can be reached."""
        begun = time.time()
        self._stack.start_part(name, TIDEGRID_TABLES_PORT=str(self.ports[name]))
        eventually("both report", lambda: len(self.reported(begun)) > 1, 90)
        self.balancer.wait_for(self.ports)

    def leads(self, name: str) -> bool:
        """Whether one of them writes the receipts."""
        return not any(p.endswith(f":{self.ports[name]}") for p in self.reported(time.time() - 5))

    def reported(self, since: float) -> set[str]:
        """Return the tables processes that have reported since a time, by what they report as."""
        found = newest_health(self._stack.connection).items()
        return {p for p, r in found if p.startswith("tables") and r.at > since}


@pytest.fixture(scope="module")
def replicas(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replicas]:
    """Run two tables processes at one home, and one again afterwards."""
    found = Replicas(stack, tmp_path_factory.mktemp("balancer"))
    with found.balancer.running():
        found.start(REPLICA)
        yield found
        if "tables" not in stack.parts:
            stack.start_part("tables")
        sent(stack, FIRST_WORLD)
    if REPLICA in stack.parts:
        stack.kill_part(REPLICA)
    begun = time.time()
    eventually("one has the lease", lambda: "tables" in found.reported(begun), 90)


class Changes:
    """Names that change all the time, while the context is open."""

    def __init__(self, stack: Stack, *worlds: str) -> None:
        self._stack, self._worlds = stack, worlds
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        for number in itertools.count():
            if self._stop.wait(0.005):
                return
            for world in self._worlds:
                user = f"{world}-{number * 7 % USERS}"
                self._stack.produce(f"{world}.users", {"userId": user, "name": f"name {number}"})


@contextmanager
def viewer(
    browser: Browser, url: str, complaints: Complaints, world: str
) -> Iterator[tuple[Screen, Locator]]:
    """Open the users of a world, filtered, sorted and scrolled, and note what is seen."""
    with opened(browser, url, complaints) as page:
        sign_in(page, PSK)
        page.get_by_test_id("status-bar").wait_for()
        page.evaluate("() => { location.hash = '#/table/users_ui' }")
        table = page.get_by_test_id("panel-table")
        table.get_by_test_id("filter-userId").fill("-1")
        table.get_by_test_id("header-userId").get_by_role("button").click()
        table.get_by_test_id("header-userId").get_by_role("button").click()
        expect(table.get_by_test_id("cell-userId").first).to_have_text(f"{world}-199")
        table.get_by_test_id("grid").evaluate("grid => { grid.scrollTop = 1200 }")
        first = table.get_by_test_id("row").first
        eventually("far down", lambda: int(first.get_attribute("data-row-index") or 0) > 20, 20)
        yield Screen(page), table


def state(table: Locator) -> dict[str, Any]:
    """Return what a viewer has set: filter, sort, scroll; and what they see for it."""
    rows = table.get_by_test_id("row")
    return {
        "filter": table.get_by_test_id("filter-userId").input_value(),
        "sort": table.get_by_test_id("header-userId").get_attribute("aria-sort"),
        "scroll": table.get_by_test_id("grid").evaluate("grid => grid.scrollTop"),
        "first": rows.first.get_attribute("data-row-index"),
        "users": table.get_by_test_id("cell-userId").all_inner_texts(),
    }


def shows(page: Page, world: str, wanted: bool) -> bool:
    """Whether all users are of a world, or none is."""
    names = [str(name) for (name,) in read_view(page, "users_ui", ["name"])]
    return bool(names) and all(name.startswith(f"{world} ") == wanted for name in names)


def alike(one: Page, two: Page, read: Callable[..., list[list[Any]]], since: int) -> bool:
    """Whether two replicas have the same rows of generations since then, and some."""
    found = [sorted(row for row in read(page) if row[0] >= since) for page in (one, two)]
    return found[0] == found[1] and bool(found[0])


def pending(stack: Stack) -> int | None:
    return ReceiptLog.read(stack.connection).ledger.pending("customers")


def test_each_shows_every_swap_and_serves_its_own_viewers(
    stack: Stack, replicas: Replicas, browser: Browser, complaints: Complaints
) -> None:
    assert replicas.leads("tables")
    assert not replicas.leads(REPLICA)
    lines, well = describe(stack.settings)
    assert well, lines
    assert sum("tables at " in line for line in lines) == 1
    urls = [replicas.url_of(port) for port in replicas.ports.values()]
    with (
        opened(browser, urls[0], complaints) as one,
        opened(browser, urls[1], complaints) as two,
    ):
        for message, shown in ((make_world(stack, "told", users=40), True), (ROLLBACK, False)):
            sent(stack, message)
            if shown:
                number = live(stack)
            for page in (one, two):
                eventually("its rows", functools.partial(shows, page, "told", shown), 30)
        of_preview = ["generation", "flow", "view", "rowsBefore", "rowsAfter", "keysAfter"]
        for name, columns in (
            ("preview", of_preview),
            ("generations", ["generation", "flow", "state", "rows"]),
            ("orchestrator_status", ["generation", "flow", "state"]),
        ):
            # Of what was before it started, the other one has seen no preview.
            since = number if name == "preview" else 0
            asked = functools.partial(read_view, name=name, columns=columns)
            eventually(f"the same {name}", functools.partial(alike, one, two, asked, since), 20)
        assert read_view(two, "progress", ["flow"]) == []
        # What is asked for here is answered here.
        add_row(two, "swap_requests", {"id": "at the replica", "joinType": "left"})

        def answer() -> list[list[Any]]:
            rows = read_view(two, "swap_answers", ["id", "problem"])
            return [row for row in rows if row[0] == "at the replica"]

        assert eventually("an answer", answer, 20)[0][1] == control.NO_CHANGE
        assert read_view(one, "swap_answers", ["id"], "at the replica") == []
    assert complaints.left() == []


def test_a_viewer_goes_on_at_the_other_when_theirs_is_killed(
    stack: Stack, replicas: Replicas, browser: Browser, complaints: Complaints
) -> None:
    complaints.outage = True
    first, second = "moved", "moved-again"
    world = make_world(stack, first, users=USERS)
    sent(stack, world)
    other = make_world(stack, second, users=USERS, rounds=20)
    replicas.balancer.send_to([REPLICA])
    with (
        Changes(stack, first, second),
        viewer(browser, replicas.url, complaints, first) as (screen, table),
    ):
        replicas.balancer.send_to(replicas.ports)
        set_up = state(table)
        assert set_up["sort"] == "descending"
        begin = time.time() * 1000
        stack.kill_part(REPLICA)
        assert screen.longest_pause(begin, 60, steady=2) < MOST
        assert state(table) == set_up
        moved = screen.connection(begin)
        replicas.start(REPLICA)
        # Who is at the one that works stays there.
        assert screen.connection(begin) == moved

        # Now the one that writes the receipts, which the viewer is on, in the middle of a swap.
        assert replicas.leads("tables")
        before = live(stack)
        kafka.Sender(stack.connection).send(topics.CONTROL, messages.to_json(other))
        eventually("it is being built", lambda: pending(stack), every=0.02)
        begin = time.time() * 1000
        stack.kill_part("tables")
        assert screen.longest_pause(begin, 60, steady=2) < MOST
        eventually("the other one goes on", lambda: live(stack) > before, 60)
        assert lives(stack)[live(stack)].birth.sources["users"] == other["usersTopic"]
        expect(table.get_by_test_id("cell-userId").first).to_contain_text(second)
        after = state(table)
        assert {k: after[k] for k in ("filter", "sort", "scroll", "first")} == {
            k: set_up[k] for k in ("filter", "sort", "scroll", "first")
        }
        eventually("it has the lease", lambda: replicas.leads(REPLICA), 15)
        assert screen.fewest > 0
        replicas.start("tables")
        assert replicas.leads(REPLICA)
        sent(stack, world)
        expect(table.get_by_test_id("cell-userId").first).to_have_text(set_up["users"][0])
    assert complaints.left() == []

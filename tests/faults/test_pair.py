"""A pair of pipelines: either is killed, and nobody who watches can tell."""

from __future__ import annotations

import functools
import itertools
import os
import signal
import time
from collections.abc import Iterator, Sequence

import pytest
from playwright.sync_api import Browser, Page

from bench.browser import Probe, Sample, attach
from tests.support.browser import Complaints, sign_in
from tests.support.load import Load, wait_until_right
from tests.support.stack import PSK, SECOND, Stack, eventually
from tests.support.worlds import FIRST_WORLD, ROLLBACK, live, lives, make_world, sent
from tidegrid.contract import health
from tidegrid.kafka.receipt_log import ReceiptLog
from tidegrid.stack.status import newest_health

#: Seconds without a new row that a viewer may see; without a pair there are ten and more.
MOST = 2.0
#: To commit at another time than the other one takes a start, which takes seconds here.
PAIR = {"TIDEGRID_PIPELINE_PAIR": "true", "TIDEGRID_PIPELINE_CHECKPOINT_INTERVAL": "60 seconds"}
FLOWS = ("customers", "positions")


@pytest.fixture(scope="module")
def pair(stack: Stack) -> Iterator[None]:
    """Run two pipelines in place of one, and one again afterwards."""
    stack.kill_part("pipeline")
    stack.start_part("pipeline", **PAIR)
    start_second(stack)
    eventually("there are two copies", lambda: copies(stack) == [2, 2], 180)
    yield
    for part in [p for p in ("pipeline", SECOND) if p in stack.parts]:
        stack.kill_part(part)
    stack.start_part("pipeline")
    eventually("one runs all flows", lambda: copies(stack) == [1, 1], 180)


def start_second(stack: Stack) -> None:
    # The port for metrics is the first one's.
    stack.start_part(SECOND, **PAIR, TIDEGRID_PIPELINE_METRICS_PORT="0")


def copies(stack: Stack) -> list[int]:
    """Return how many copies there are of what is live of each flow."""
    ledger = ReceiptLog.read(stack.connection).ledger
    numbers = {flow: ledger.live(flow) for flow in FLOWS}
    return [len(ledger.lives(f)[n].birth.copies) if n else 0 for f, n in numbers.items()]


def both_write(stack: Stack, since: float) -> bool:
    """Whether both pipelines have reported after a time, and write more rows of all that is live.

    A query that starts again finds rows of its own: so they must become more.
    """
    before = written(stack, since)
    time.sleep(health.EVERY + 0.5)
    after = written(stack, since)
    wanted = {(part, "customers") for part in ("pipeline", health.SECOND)}
    return wanted <= before.keys() & after.keys() and all(after[w] > before[w] for w in wanted)


def written(stack: Stack, since: float) -> dict[tuple[str, str], float]:
    """Return the rows of what is live, by the part that reports them and their flow."""
    numbers = {flow: live(stack, flow) for flow in FLOWS}
    found: dict[tuple[str, str], float] = {}
    for part, report in newest_health(stack.connection).items():
        figures = [f for f in report.figures if f.measure == "rows_written" and report.at > since]
        for figure in figures:
            if numbers.get(figure.flow) == figure.generation:
                place = part, figure.flow
                found[place] = found.get(place, 0) + figure.value
    return found


def longest_pause(samples: Sequence[Sample], begin: float) -> float:
    """Return the longest time in which no row came to the screen, in seconds."""
    came = [begin, *sorted(s.at + s.latency for s in samples if s.at + s.latency > begin)]
    pauses = [later - before for before, later in itertools.pairwise(came)]
    return max(pauses, default=float("inf")) / 1000


def flows(probe: Probe) -> bool:
    """Whether rows came without a pause for some seconds."""
    begin = time.time() * 1000
    probe.watch(3)
    return longest_pause(probe.samples("final_ui"), begin) < MOST / 2


@pytest.mark.usefixtures("pair")
def test_the_other_of_a_pair_goes_on_when_one_is_killed(
    stack: Stack, browser: Browser, page: Page, complaints: Complaints
) -> None:
    # The probe sees the first rows of a view, so there must be few others.
    world = make_world(stack, "paired", users=5)
    sent(stack, world)
    sign_in(page, PSK)
    view = ("final_ui",)
    with (
        Load(stack, "pair", world["usersTopic"], world["accountsTopic"], pause=0.02) as load,
        attach(browser, stack.settings.tables.port, PSK, 10, view) as probe,
    ):
        probe.first("final_ui", 60)
        begin = time.time() * 1000
        for part in ("pipeline", SECOND):
            eventually("both write", functools.partial(both_write, stack, begin / 1000), 120)
            eventually("rows flow", lambda: flows(probe), 60)
            begin = time.time() * 1000
            stack.kill_part(part)
            probe.watch(8)
            assert longest_pause(probe.samples("final_ui"), begin) < MOST
            # The one that is left has the lease, or gets it: control messages are followed.
            if part == "pipeline":
                sent(stack, make_world(stack, "pair-led", users=5))
                stack.start_part("pipeline", **PAIR)
                sent(stack, world)
    wait_until_right(load, page, "pair")
    sent(stack, FIRST_WORLD)
    # What reads the view here is the test itself.
    page.goto("about:blank")
    complaints.outage = True


def both_report(stack: Stack, since: float) -> bool:
    """Whether both pipelines have said after a time that all their queries run."""
    return all(reports_since(stack, part, since) for part in ("pipeline", health.SECOND))


def reports_since(stack: Stack, part: str, since: float) -> bool:
    """Whether a part has said after a time that all its queries run."""
    report = newest_health(stack.connection).get(part)
    return report is not None and report.at > since and report.state == "running"


@pytest.mark.usefixtures("pair")
def test_one_that_stood_still_does_not_undo_what_the_other_did(stack: Stack) -> None:
    if SECOND not in stack.parts:
        start_second(stack)
    eventually("both run", functools.partial(both_report, stack, time.time()), 120)
    before = live(stack)
    sent(stack, make_world(stack, "stood-still", users=5))
    after = live(stack)
    assert after != before
    eventually("the one before lingers", lambda: lives(stack)[before].state == "lingering")
    stack.harm()
    leader = stack.parts["pipeline"]
    os.killpg(leader.pid, signal.SIGSTOP)
    try:
        # The other one takes over while that one still knows it as lingering.
        sent(stack, ROLLBACK)
        assert live(stack) == before
        eventually("the newer one is over", lambda: not lives(stack)[after].running)
    finally:
        os.killpg(leader.pid, signal.SIGCONT)
    eventually("it stands aside", lambda: leader.poll() is not None, 90)
    assert lives(stack)[before].state == "live"
    stack.keep_up()
    eventually("there are two again", functools.partial(both_report, stack, time.time()), 120)
    sent(stack, FIRST_WORLD)

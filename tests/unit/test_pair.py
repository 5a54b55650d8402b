"""A pair of pipelines: what each writes, when each commits, and how many there may be at a home."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tidegrid.contract import topics
from tidegrid.contract.receipts import PAIR, Receipt
from tidegrid.kafka.receipt_log import ReceiptLog
from tidegrid.pipeline.generation import recipe
from tidegrid.pipeline.generations import Generations
from tidegrid.pipeline.lease import alone_at_home
from tidegrid.pipeline.query import until_commit
from tidegrid.pipeline.removal import number_of
from tidegrid.settings import Pipeline, Settings

AT = "2026-01-01T00:00:00.000+00:00"


def test_a_pair_has_changelogs_of_its_own_each_and_one_alone_those_of_before() -> None:
    alone, pair = (recipe(Settings(pipeline=Pipeline(pair=on))) for on in (False, True))
    assert PAIR not in alone
    assert Receipt("orders", 1, "building", "", recipe=alone).copies == ("a",)
    assert Receipt("orders", 1, "building", "", recipe=pair).copies == ("a", "b")
    first, second = (topics.changelog("orders", 3, "orders", copy) for copy in topics.COPIES)
    assert first == topics.changelog("orders", 3, "orders") == "tidegrid.orders.3.orders"
    assert second != first
    assert [topics.copy_of(topic) for topic in (first, second)] == ["a", "b"]
    # It goes with its generation.
    assert number_of(second.removeprefix("tidegrid.orders.")) == 3


@pytest.mark.parametrize("ago", [0, 10, 74, 76, 149, 151, 226, 299, 1000])
def test_the_second_commits_far_from_the_first(ago: float) -> None:
    now, interval = 10_000.0, 300.0
    wait = until_commit(now - ago, now, interval)
    assert interval / 4 <= wait <= 1.25 * interval
    apart = (now + wait - (now - ago)) % interval
    assert apart == pytest.approx(interval / 2, abs=interval / 10)


@pytest.mark.parametrize("late", [0.5, 3, 6])
@pytest.mark.parametrize("interval", [15.0, 40.0, 300.0])
def test_queries_are_not_started_again_for_ever_to_commit_apart(
    interval: float, late: float
) -> None:
    for ago in range(0, int(interval), 2):
        # The other one keeps its time; a query that is started commits that much too late.
        now, running, starts = 1000.0, interval, 0
        for _ in range(20):
            wanted = until_commit(1000.0 - ago, now, interval, late)
            starts += wanted != running
            now += wanted + (late if wanted != running else 0)
            running = wanted
        assert starts <= 2


def test_the_second_keeps_its_time_once_it_is_far_enough() -> None:
    # It has just committed, halfway between two commits of the other.
    assert until_commit(10_000.0 - 150, 10_000.0, 300.0) == 300
    assert until_commit(None, 10_000.0, 300.0) == 300


def test_who_leads_is_as_it_was_before_with_all_that_it_has_started() -> None:
    program = """
import os, subprocess, sys
from tidegrid.pipeline import priority

def nice(process):
    return os.getpriority(os.PRIO_PROCESS, process)

mine = nice(0)
priority.lower()
child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
found = [mine, nice(0), nice(child.pid)]
priority.restore()
print(*found, nice(0), nice(child.pid))
child.communicate(b"x")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    mine, *lowered, own, child = map(int, done.stdout.split())
    low = max(10, mine)
    assert lowered == [low, low]
    # Without the right to it, both stay as they are.
    assert (own, child) in [(mine, mine), (low, low)]


def generations(folder: Path, *receipts: Receipt) -> Generations:
    log = ReceiptLog(Settings().connection)
    for receipt in receipts:
        log.ledger.add(receipt)
    return Generations(Settings(home=folder), "customers", log, folder, "b")


def test_the_second_runs_what_is_live_of_a_pair_alone(tmp_path: Path) -> None:
    begun = Receipt(
        "customers",
        1,
        "building",
        AT,
        sources={"users": "users", "accounts": "accounts"},
        recipe=recipe(Settings(pipeline=Pipeline(pair=True))),
        declaration=Settings().declared()["customers"],
    )
    alone = replace(begun, generation=2, recipe=recipe(Settings()))
    live = [replace(one, state=state) for one in (begun, alone) for state in ("caught-up", "live")]
    building = replace(begun, generation=3)
    made = generations(tmp_path, begun, alone, *live, building)
    assert made.absent() == [1]
    found = made.mirrored()
    made.running[1] = found[0]
    assert made.absent() == []
    assert [one.birth.generation for one in found] == [1]
    assert all(topic.endswith(".b") for topic in found[0].topics.values())


def test_checkpoints_of_what_was_over_while_a_pipeline_was_away_are_removed(tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / str(number) / "customers" / "state").mkdir(parents=True)
    over = Receipt("customers", 1, "building", AT)
    made = generations(tmp_path, over, replace(over, state="closed"), replace(over, generation=2))
    # Topics are for who leads: no broker is asked.
    made.removals.orphans()
    assert [folder.name for folder in tmp_path.iterdir()] == ["2"]


def test_a_home_is_for_one_pipeline_or_for_the_two_of_a_pair(tmp_path: Path) -> None:
    stop = threading.Event()
    with alone_at_home(tmp_path, stop, most=2) as first, alone_at_home(tmp_path, stop, 2) as second:
        assert first
        assert second
        assert first != second
        threading.Timer(0.3, stop.set).start()
        begun = time.monotonic()
        with alone_at_home(tmp_path, stop, 2) as third:
            assert third == ""
        assert time.monotonic() - begun > 0.2
    # Each has the name that it had before.
    with alone_at_home(tmp_path, threading.Event()) as again:
        assert again == first

"""A pair of pipelines: what each writes, when each commits, and how many there may be at a home."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from tidegrid.contract import topics
from tidegrid.contract.receipts import PAIR, Receipt
from tidegrid.pipeline.generation import recipe
from tidegrid.pipeline.lease import alone_at_home
from tidegrid.pipeline.query import until_commit
from tidegrid.pipeline.removal import number_of
from tidegrid.settings import Pipeline, Settings


def test_a_pair_has_changelogs_of_its_own_each_and_one_alone_those_of_before() -> None:
    alone, pair = (recipe(Settings(pipeline=Pipeline(pair=on))) for on in (False, True))
    assert PAIR not in alone
    assert Receipt("orders", 1, "building", "", recipe=alone).copies == ("a",)
    assert Receipt("orders", 1, "building", "", recipe=pair).copies == ("a", "b")
    first, second = (topics.changelog("orders", 3, "orders", copy) for copy in topics.COPIES)
    assert first == topics.changelog("orders", 3, "orders") == "tidegrid.orders.3.orders"
    assert second != first
    # It goes with its generation.
    assert number_of(second.removeprefix("tidegrid.orders.")) == 3


@pytest.mark.parametrize("ago", [0, 10, 74, 76, 149, 151, 226, 299, 1000])
def test_the_second_commits_far_from_the_first(ago: float) -> None:
    now, interval = 10_000.0, 300.0
    wait = until_commit(now - ago, now, interval)
    assert interval / 4 <= wait <= 1.25 * interval
    apart = (now + wait - (now - ago)) % interval
    assert apart == pytest.approx(interval / 2, abs=interval / 10)


def test_the_second_keeps_its_time_once_it_is_far_enough() -> None:
    # It has just committed, halfway between two commits of the other.
    assert until_commit(10_000.0 - 150, 10_000.0, 300.0) == 300
    assert until_commit(None, 10_000.0, 300.0) == 300


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

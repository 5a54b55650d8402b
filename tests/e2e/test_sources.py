"""Sources that are not simply full of records: transactions, gaps, empty partitions."""

from __future__ import annotations

import itertools
import json
from datetime import UTC, datetime, timedelta

import pytest
from confluent_kafka import TopicPartition
from playwright.sync_api import Page

from tests.support.browser import read_view
from tests.support.stack import Stack, eventually
from tests.support.worlds import live, make_world, sent
from tidegrid import kafka
from tidegrid.contract.receipts import Offsets
from tidegrid.errors import SwapError


def ids(page: Page) -> set[str]:
    return {str(row[0]) for row in read_view(page, "users_ui", ["userId"])}


def test_what_a_transaction_took_back_is_not_shown(stack: Stack, signed_in: Page) -> None:
    world = make_world(stack, "transactions", users=3)
    producer = kafka.producer(stack.connection, **{"transactional.id": "test"})
    producer.init_transactions(20)
    for user, kept in (("kept", True), ("taken-back", False)):
        producer.begin_transaction()
        for partition in (0, 1):
            value = json.dumps({"userId": f"{user}-{partition}", "name": user})
            producer.produce(world["usersTopic"], value=value, partition=partition)
        assert producer.flush(10) == 0
        (producer.commit_transaction if kept else producer.abort_transaction)()
    found = {world["usersTopic"]: 2}

    def end_of_transactions() -> Offsets | None:
        # Four records of the world, and in each partition two of transactions and their markers.
        end = kafka.latest(stack.connection, found)
        return end if sum(end[world["usersTopic"]].values()) == 4 + 2 * 4 else None

    end = eventually("markers", end_of_transactions)
    start = kafka.earliest(stack.connection, found)
    records = kafka.ends_of_records(stack.connection, start, end)
    # Two markers and a record that was taken back stand behind the last record.
    for place, last in end[world["usersTopic"]].items():
        assert records[world["usersTopic"]][place] == last - 3
    sent(stack, world)
    assert ids(signed_in) == {f"transactions-{n}" for n in range(3)} | {"kept-0", "kept-1"}


def test_the_start_can_be_the_end_or_a_time(stack: Stack, signed_in: Page) -> None:
    world = make_world(stack, "starts", users=5)
    # The one record that the guard wants to see in each view, and no other: all are older.
    later = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=5)
    at, millis = later.isoformat(), int(later.timestamp() * 1000)
    stack.produce(world["usersTopic"], {"userId": "new", "name": "new"}, at=millis)
    account: dict[str, object] = {"userId": "new", "accountType": "CHK", "balance": 1}
    stack.produce(world["accountsTopic"], account, at=millis)
    stack.flush()
    sent(stack, {**world, "startingOffsets": at})
    assert ids(signed_in) == {"new"}
    with pytest.raises(SwapError, match="guard: users_ui would go from 1 rows to 0"):
        sent(stack, {**world, "startingOffsets": "latest"})
    assert ids(signed_in) == {"new"}


def test_empty_topics_and_trimmed_ones_catch_up(stack: Stack, signed_in: Page) -> None:
    world = make_world(stack, "trimmed", users=20)
    admin = kafka.admin(stack.connection)
    places = [TopicPartition(world["usersTopic"], p, -1) for p in (0, 1)]
    for done in admin.delete_records(places).values():
        done.result(20)
    stack.produce(world["usersTopic"], {"userId": "last", "name": "last"})
    stack.flush()
    sent(stack, world)
    assert ids(signed_in) == {"last"}
    # Nothing at all: it catches up at once, and the guard keeps the screens from being emptied.
    before = live(stack)
    empty = {"usersTopic": "empty.users", "accountsTopic": "empty.accounts"}
    kafka.ensure_topics(stack.connection, dict.fromkeys(empty.values(), 2), {})
    with pytest.raises(SwapError, match="guard: users_ui would go from 1 rows to 0"):
        sent(stack, empty)
    assert live(stack) == before
    eventually("the live rows still there", lambda: ids(signed_in) == {"last"})


def test_records_that_mostly_cannot_be_used_take_over_only_by_force(
    stack: Stack, signed_in: Page
) -> None:
    before = live(stack)
    world = {"usersTopic": "unusable.users", "accountsTopic": "unusable.accounts"}
    kafka.ensure_topics(stack.connection, dict.fromkeys(world.values(), 2), {})
    for n in range(40):
        named = {"userId": f"unusable-{n}"} if n % 4 == 0 else {}
        stack.produce(world["usersTopic"], {**named, "name": "one"}, key=f"{n}")
        account: dict[str, object] = {"userId": f"unusable-{n}", "accountType": "CHK"}
        stack.produce(world["accountsTopic"], account)
    stack.flush()
    told = "30 of the newest 40 records of unusable.users .* userId: missing or empty"
    with pytest.raises(SwapError, match=told):
        sent(stack, world)
    assert live(stack) == before
    sent(stack, {**world, "force": True})
    assert ids(signed_in) == {f"unusable-{n}" for n in range(0, 40, 4)}


def test_a_compacted_topic_with_gaps_is_caught_up_with(stack: Stack, signed_in: Page) -> None:
    world = {"usersTopic": "gaps.users", "accountsTopic": "gaps.accounts"}
    compacted = {
        "cleanup.policy": "compact",
        "segment.ms": "500",
        "min.cleanable.dirty.ratio": "0.001",
        "max.compaction.lag.ms": "1000",
        "delete.retention.ms": "0",
    }
    kafka.ensure_topics(stack.connection, dict.fromkeys(world.values(), 2), compacted)

    def write(turn: int) -> None:
        for n in range(5):
            user = f"gaps-{n}"
            stack.produce(world["usersTopic"], {"userId": user, "name": f"turn {turn}"})
            account: dict[str, object] = {"userId": user, "accountType": "CHK", "balance": turn}
            stack.produce(world["accountsTopic"], account)
        stack.flush()

    def records() -> int:
        return sum(1 for topic in world.values() for _ in kafka.read_all(stack.connection, topic))

    turns = itertools.count(100)

    def cleaned() -> int:
        # Each turn can roll a segment, so that what is before it can be cleaned.
        last = next(turns)
        write(last)
        return last if records() < before / 2 else 0

    for turn in range(100):
        write(turn)
    before = records()
    last = eventually("gaps", cleaned, 60, every=1)
    sent(stack, world)
    rows = read_view(signed_in, "final_ui", ["userId", "name", "balance"])
    assert sorted(rows) == [[f"gaps-{n}", f"turn {last}", last] for n in range(5)]

"""What came while the pipeline was away is read in bulk: every table is as if it had been there."""

from __future__ import annotations

import functools
import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.support.browser import Complaints, read_view, sign_in
from tests.support.stack import PSK, Stack, eventually
from tests.support.worlds import sent
from tidegrid import kafka
from tidegrid.contract.receipts import Offsets
from tidegrid.kafka.receipt_log import ReceiptLog
from tidegrid.pipeline.spark_internals import committed_offsets

PEOPLE, CARDS = "missed.people", "missed.cards"
#: Events that the lists look back over, in each partition.
KEEP = 50
SLICE = 5000
#: Somebody with more events than are kept.
BUSY = 5
#: Flows of the same topics, and whether their records delete.
FLOWS = {"lasting": False, "deleting": True}
Row = dict[str, Any]


def flow(name: str, *, deletes: bool) -> dict[str, Any]:
    """Return a flow of both topics, whose children are deleted or last for ever."""
    mine = {"delete": "name = 'gone'"} if deletes else {}
    of_card = {"delete": "points < 0"} if deletes else {}
    return {
        "name": name,
        "rejects": KEEP,
        "sources": {
            f"{name}_people": {
                "topic": PEOPLE,
                "key": ["id"],
                "time": ["since"],
                "fields": {"id": "string", "name": "string", "since": "time"},
                **mine,
            },
            f"{name}_cards": {
                "topic": CARDS,
                "key": ["id", "card"],
                "time": ["at"],
                "fields": {"id": "string", "card": "string", "points": "double", "at": "time"},
                **of_card,
            },
        },
        "views": {
            f"{name}_people_now": {"latest": f"{name}_people"},
            f"{name}_cards_now": {"latest": f"{name}_cards"},
            f"{name}_both": {"join": [f"{name}_people", f"{name}_cards"]},
            f"{name}_as_of": {
                "as_of": [f"{name}_people", f"{name}_cards"],
                "keep": KEEP,
                "depth": 64,
            },
            f"{name}_slices": {
                "buckets": f"{name}_cards",
                "by": ["card"],
                "every": "5s",
                "keep": "60m",
                "count": "cards",
            },
        },
    }


@dataclass
class Event:
    """A record as it was produced."""

    topic: str
    partition: int
    offset: int
    value: Row
    at: int

    @property
    def order(self) -> tuple[int, int, int]:
        """By which the newest is told."""
        return self.at, self.partition, self.offset


class World:
    """What was produced, and what every table must show of it; times are in no order."""

    def __init__(self, stack: Stack) -> None:
        self._producer = kafka.producer(stack.connection)
        self._random = random.Random(7)
        now = int(time.time() * 1000) - 30_000
        self._times = iter(self._random.sample(range(now - 600_000, now), 60_000))
        self._next: Counter[tuple[str, int]] = Counter()
        self.events: list[Event] = []

    @property
    def offsets(self) -> Offsets:
        """The ends of all partitions."""
        return {t: {str(p): self._next[t, p] for p in (0, 1)} for t in (PEOPLE, CARDS)}

    def person(self, number: int) -> None:
        """Produce a version of somebody."""
        name = "gone" if self._random.random() < 0.1 else f"n{len(self.events)}"
        self._add(PEOPLE, number % 2, {"id": str(number), "name": name}, "since")

    def card(self, number: int, partition: int, kinds: str = "xyz") -> None:
        """Produce a version of one of somebody's cards."""
        points = -1.0 if self._random.random() < 0.1 else float(len(self.events))
        card = self._random.choice(kinds)
        self._add(CARDS, partition, {"id": str(number), "card": card, "points": points}, "at")

    def flush(self) -> None:
        """Wait until the broker has all of it."""
        assert self._producer.flush(60) == 0

    def _add(self, topic: str, partition: int, value: Row, stamp: str) -> None:
        at = next(self._times)
        offset = self._next[topic, partition]
        self._next[topic, partition] += 1
        self.events.append(Event(topic, partition, offset, value, at))
        self._producer.produce(
            topic, json.dumps({**value, stamp: at}).encode(), partition=partition
        )
        self._producer.poll(0)

    def tables(self, *, deletes: bool) -> dict[str, list[list[Any]]]:
        """Work out every table from all that was produced."""
        people: dict[str, list[Event]] = {}
        cards: dict[tuple[str, str], Event] = {}
        slices: Counter[tuple[str, int]] = Counter()
        for event in sorted(self.events, key=lambda e: e.order):
            value = event.value
            if event.topic == PEOPLE:
                people.setdefault(value["id"], []).append(event)
            else:
                cards[value["id"], value["card"]] = event
                if not (deletes and value["points"] < 0):
                    slices[value["card"], event.at // SLICE * SLICE] += 1

        def name_of(person: str, at: int) -> str | None:
            versions = [e for e in people.get(person, []) if e.at <= at]
            name = versions[-1].value["name"] if versions else None
            return None if deletes and name == "gone" else name

        last = max(e.at for e in self.events)
        alive = {p: name for p in people if (name := name_of(p, last)) is not None}
        held = {
            key: e.value["points"]
            for key, e in cards.items()
            if not (deletes and e.value["points"] < 0)
        }
        joined = [[p, c, alive[p], points] for (p, c), points in held.items() if p in alive]
        owners = {p for p, _ in held}
        joined += [[p, None, name, None] for p, name in alive.items() if p not in owners]
        listed = [
            [e.value["id"], e.partition, e.offset, e.value["points"], name_of(e.value["id"], e.at)]
            for e in self.events
            if e.topic == CARDS and e.offset >= self._next[CARDS, e.partition] - KEEP
        ]
        return {
            "people_now": [[p, name] for p, name in alive.items()],
            "cards_now": [[p, c, points] for (p, c), points in held.items()],
            "both": joined,
            "as_of": listed,
            "slices": [[card, n] for (card, _), n in slices.items()],
        }


#: What is read of each table.
COLUMNS = {
    "people_now": ["id", "name"],
    "cards_now": ["id", "card", "points"],
    "both": ["id", "card", "name", "points"],
    "as_of": ["id", "partition", "offset", "points", "name"],
    "slices": ["card", "cards"],
}


def in_order(rows: list[list[Any]]) -> list[list[Any]]:
    found = [[float(v) if isinstance(v, int) else v for v in row] for row in rows]
    return sorted(found, key=str)


def _reads(
    page: Page, table: str, columns: list[str], wanted: list[list[Any]], seen: list[list[Any]]
) -> bool:
    seen[:] = in_order(read_view(page, table, columns))
    return seen == wanted


def wait_until_right(page: Page, world: World, name: str, *, deletes: bool) -> None:
    """Wait until every table of a flow is as worked out; say what is not if it never is."""
    for table, wanted in world.tables(deletes=deletes).items():
        expected = in_order(wanted)
        seen: list[list[Any]] = []

        try:
            eventually(
                f"{name}_{table}",
                functools.partial(_reads, page, f"{name}_{table}", COLUMNS[table], expected, seen),
                120,
                every=0.5,
            )
        except AssertionError:
            wrong = [r for r in expected if r not in seen], [r for r in seen if r not in expected]
            raise AssertionError(
                f"{name}_{table}: missing {wrong[0][:5]}, too many {wrong[1][:5]}, "
                f"{len(seen)} rows of {len(expected)}"
            ) from None


@pytest.fixture
def no_flows_stay(stack: Stack) -> Iterator[None]:
    yield
    known = ReceiptLog.read(stack.connection).ledger
    for name in FLOWS:
        if any(life.running for life in known.lives(name).values()):
            sent(stack, {"remove": name})


@pytest.mark.usefixtures("no_flows_stay")
def test_what_was_missed_is_read_in_bulk_and_every_table_is_right(
    stack: Stack, page: Page, complaints: Complaints
) -> None:
    kafka.ensure_topics(stack.connection, {PEOPLE: 2, CARDS: 2}, {})
    world = World(stack)
    for n in range(300):
        world.person(n % 100)
        # Those below 60 have cards, and the second partition hears little more.
        world.card(n % 60, n % 2)
    world.flush()
    for name, deletes in FLOWS.items():
        sent(stack, {"apply": flow(name, deletes=deletes)})
    sign_in(page, PSK)
    checkpoints = {
        name: next(stack.settings.home.glob(f"checkpoints/*/{name}/1/{name}")) for name in FLOWS
    }
    eventually(
        "all of it is committed",
        lambda: all(committed_offsets(c) == world.offsets for c in checkpoints.values()),
        60,
    )
    stack.kill_part("pipeline")
    for n in range(12_000):
        world.card(n % 400, 0)
        if n % 3 == 0 and n % 500 != BUSY:
            # Late for what they had, the first of some, and of people that nobody knows yet.
            world.person(n % 500)
        if n % 4 == 0:
            # More than is kept of one: the others of hers are not among the newest.
            world.card(BUSY, 0, "x")
        if n % 600 == 0:
            world.card(n % 60, 1)
    world.flush()
    log = stack.settings.home / "pipeline.log"
    known = len(log.read_text())
    stack.start_part("pipeline")
    for name, deletes in FLOWS.items():
        wait_until_right(page, world, name, deletes=deletes)
    said = [json.loads(line) for line in log.read_text()[known:].splitlines() if line[0] == "{"]
    about = {e.get("flow") for e in said if "that came since the last commit" in e["message"]}
    assert about == set(FLOWS)
    assert any("once more for what is rare" in e["message"] for e in said)
    # And from there on, record by record.
    for n in range(BUSY + 1, 60):
        world.person(n)
        world.card(n, 1)
    world.flush()
    for name, deletes in FLOWS.items():
        wait_until_right(page, world, name, deletes=deletes)
    page.goto("about:blank")
    complaints.outage = True

"""Flows that nobody here has seen, applied to a running stack: exact, and in nobody's way."""

from __future__ import annotations

import copy
import json
import random
import re
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import read_view
from tests.support.stack import POSITIONS, Stack, eventually
from tests.support.worlds import FIRST_WORLD, ROLLBACK, live, lives, make_world, sent
from tidegrid import kafka
from tidegrid.contract.declaration import environment
from tidegrid.contract.declaration.files import with_topics
from tidegrid.errors import FlowError, SwapError
from tidegrid.kafka.receipt_log import ReceiptLog
from tidegrid.settings import SHIPPED_FLOWS
from tidegrid.stack import flows

DOCS = Path(__file__).parents[2] / "docs" / "flows.md"
EXAMPLES = re.findall(r"```toml\n(# flows/([a-z]+)\.toml\n.*?)```", DOCS.read_text("utf-8"), re.S)

SHOP = """
title = "Shop <b>"
[sources.people]
topic = "shop.people"
key = ["personId"]
kafka_key = "personId"
fields = { personId = "string", called = { type = "string", from = ["the name", "x.y"] } }
[sources.cards]
topic = "shop.cards"
key = ["personId", "card"]
kafka_key = { json = ["personId", "card"] }
delete = "state = 'GONE'"
[sources.cards.fields]
personId = "string"
card = "long"
state = { type = "string", default = "OK" }
points = { type = "double", lenient = true }
[sources.cards.columns]
doubled = "points * 2"
[views.shop_people]
latest = "people"
[views.shop_cards]
latest = "cards"
[views.shop_both]
join = ["people", "cards"]
[views.shop_as_of]
as_of = ["people", "cards"]
[views.shop_events]
events = "cards"
[columns]
called = { label = "<img src=x onerror=alert(1)>" }
"""


def apply(stack: Stack, name: str, document: dict[str, Any]) -> list[str]:
    """Apply a declaration, and return what was said when it is live."""
    return sent(stack, {"apply": {"name": name, **document}})


def tables_of(page: Page, flow: str) -> set[str]:
    rows = read_view(page, "catalogue", ["flow", "table"])
    return {table for found, table in rows if found == flow}


def make_topics(stack: Stack, *names: str) -> None:
    kafka.ensure_topics(stack.connection, dict.fromkeys(names, 1), {})


class Shop:
    """The records of a shop, and what its tables must hold."""

    def __init__(self, stack: Stack, seed: int, *, of: str = "shop", size: int = 6) -> None:
        """Make one of so many people, whose topics begin with `of`."""
        self._stack = stack
        self._random = random.Random(seed)
        self._size = size
        self._people: dict[str, tuple[tuple[int, int], str | None]] = {}
        self._cards: dict[tuple[str, int], tuple[tuple[int, int], float | None]] = {}
        self.topics = f"{of}.people", f"{of}.cards"
        #: How many records of each topic there were.
        self._sent = [0, 0]
        self._begin = int(time.time() * 1000) - 1_000_000

    def produce(self, count: int, *, in_order: bool = False) -> None:
        """Produce records of both topics, with deletes of all kinds among them."""
        for _ in range(count):
            person = f"p{self._random.randrange(self._size)}"
            at = self._begin + self._random.randrange(1_000_000)
            if in_order:
                at = self._begin = self._begin + 1
            if self._random.random() < 0.4:
                self._person(person, at)
            else:
                self._card(person, self._random.randrange(3), at)
        self._stack.flush()

    def _version(self, topic: int, at: int) -> tuple[int, int]:
        self._sent[topic] += 1
        return at, self._sent[topic]

    def _person(self, person: str, at: int) -> None:
        version = self._version(0, at)
        called = None if self._random.random() < 0.3 else f"name {version[1]}"
        record = {"personId": person, "the name": {"x.y": called}}
        value = json.dumps(record).encode() if called else None
        self._stack.produce(self.topics[0], value, key=person, at=at)
        if version > self._people.get(person, ((-1, -1), None))[0]:
            self._people[person] = (version, called)

    def _card(self, person: str, card: int, at: int) -> None:
        version = self._version(1, at)
        points = float(version[1])
        kind = self._random.choice(["value", "value", "text", "tombstone", "delete"])
        value: dict[str, object] | None = {"personId": person, "card": card, "points": points}
        if kind == "text":
            value = {**(value or {}), "points": str(points)}
        elif kind == "delete":
            value = {**(value or {}), "state": "GONE"}
        key = json.dumps({"personId": person, "card": card})
        raw = None if kind == "tombstone" else json.dumps(value).encode()
        self._stack.produce(self.topics[1], raw, key=key, at=at)
        if version > self._cards.get((person, card), ((-1, -1), None))[0]:
            alive = kind in ("value", "text")
            self._cards[person, card] = (version, points if alive else None)

    def shown(self, page: Page) -> tuple[list[list[Any]], ...]:
        """Return what a viewer sees of the three tables."""
        return (
            sorted(read_view(page, "shop_people", ["personId", "called"])),
            sorted(read_view(page, "shop_cards", ["personId", "card", "points", "doubled"])),
            sorted(read_view(page, "shop_both", ["personId", "called", "card", "points"]), key=str),
        )

    def is_shown(self, page: Page) -> bool:
        """Whether a viewer sees what the tables must hold."""
        return self.shown(page) == (self.people, self.cards, self.both)

    def compacted(self) -> bool:
        """Whether Kafka has taken out most of what newer records replace; produces one more.

        Only a new record makes the broker begin the next segment, and leave the one before to its
        cleaner.
        """
        self.produce(1, in_order=True)
        left = sum(len(kafka.read_all(self._stack.connection, topic)) for topic in self.topics)
        return left < 0.2 * sum(self._sent)

    @property
    def people(self) -> list[list[Any]]:
        """The rows of `shop_people`."""
        return sorted([p, name] for p, (_, name) in self._people.items() if name)

    @property
    def cards(self) -> list[list[Any]]:
        """The rows of `shop_cards`."""
        found = self._cards.items()
        return sorted(
            [p, c, points, 2 * points] for (p, c), (_, points) in found if points is not None
        )

    @property
    def both(self) -> list[list[Any]]:
        """The rows of `shop_both`."""
        cards = {(p, c): points for p, c, points, _ in self.cards}
        rows: list[list[Any]] = []
        for person, name in self.people:
            mine = [[person, name, c, points] for (p, c), points in cards.items() if p == person]
            rows += mine or [[person, name, None, None]]
        return sorted(rows, key=str)


def test_a_flow_of_ones_own_is_exact_with_deletes_and_goes_again(
    stack: Stack, signed_in: Page
) -> None:
    before = {flow: live(stack, flow) for flow in ("customers", "positions")}
    parts = {name: part.pid for name, part in stack.parts.items()}
    make_topics(stack, "shop.people", "shop.cards")
    shop = Shop(stack, seed=11)
    shop.produce(150)
    document = tomllib.loads(SHOP)
    assert "live" in apply(stack, "shop", document)[-1]
    shop.produce(150)

    eventually("all as recomputed", lambda: shop.is_shown(signed_in))
    # A person who comes again, and a card after its delete.
    shop.produce(100)
    eventually("and again", lambda: shop.is_shown(signed_in))
    # One more column from the producer: one line, one apply, no restart.
    document["sources"]["cards"]["fields"]["shade"] = {"type": "string", "default": "red"}
    apply(stack, "shop", document)
    shades = read_view(signed_in, "shop_cards", ["personId", "shade"])
    assert {row[1] for row in shades} == {"red"}
    assert len(shades) == len(shop.cards)
    # A wrong one is refused with the reason, and the live one goes on.
    document["sources"]["cards"]["columns"]["bad"] = "reflect('java.lang.System', 'exit', '1')"
    with pytest.raises(SwapError, match=r"sources\.cards\.columns\.bad: calls reflect"):
        apply(stack, "shop", document)
    eventually("still exact", lambda: shop.is_shown(signed_in))
    assert tables_of(signed_in, "shop") == set(document["views"])
    sent(stack, {"remove": "shop"})
    eventually("no table left", lambda: not tables_of(signed_in, "shop"))
    own = "tidegrid.shop."
    eventually(
        "no topic left",
        lambda: not [n for n in kafka.names(stack.connection) if n.startswith(own)],
    )
    assert {flow: live(stack, flow) for flow in before} == before
    assert {name: part.pid for name, part in stack.parts.items()} == parts


def test_a_source_that_kafka_compacts_shows_the_same(stack: Stack, signed_in: Page) -> None:
    """Read in bulk with all its deletes, and again when they and what they took away are gone."""
    shop = Shop(stack, seed=12, of="kept", size=300)
    compacted = {
        "cleanup.policy": "compact",
        "segment.ms": "1000",
        "min.cleanable.dirty.ratio": "0.01",
        "delete.retention.ms": "0",
    }
    kafka.ensure_topics(stack.connection, dict.fromkeys(shop.topics, 1), compacted)
    shop.produce(70_000, in_order=True)
    document = tomllib.loads(SHOP.replace("shop.", "kept."))
    assert "live" in apply(stack, "shop", document)[-1]
    eventually("all as recomputed", lambda: shop.is_shown(signed_in))
    eventually("compacted", shop.compacted, every=1)
    document["sources"]["cards"]["fields"]["shade"] = {"type": "string", "default": "red"}
    assert "live" in apply(stack, "shop", document)[-1]
    eventually("the same from what is left", lambda: shop.is_shown(signed_in))
    # A record that comes again after its delete is gone from the topic.
    shop.produce(300, in_order=True)
    eventually("and what comes then", lambda: shop.is_shown(signed_in))
    sent(stack, {"remove": "shop"})


def test_what_is_inferred_takes_no_other_flows_place(stack: Stack) -> None:
    with pytest.raises(FlowError, match=r"a flow customers already, of .*--name"):
        flows.require_new(stack.settings, "customers", "customers")
    flows.require_new(stack.settings, "positions", POSITIONS)
    flows.require_new(stack.settings, "of_nobody", "customers")


def test_positions_without_a_symbol_work_by_three_lines(stack: Stack, signed_in: Page) -> None:
    text = (SHIPPED_FLOWS / "positions.toml").read_text("utf-8")
    lines = {
        'key = "${TIDEGRID_POSITIONS_KEYS:-symbol}"': 'key = ["instrumentCode"]',
        'time = ["event_ts", "event_time"]': 'time = ["event_time"]',
        'symbol = { type = "string", trim = true }': 'symbol = { type = "scalar", trim = true, '
        'from = "instrumentCode" }',
    }
    for line, other in lines.items():
        assert text.count(line) == 1, line
        text = text.replace(line, other)
    number = live(stack, "positions")
    ledger = ReceiptLog.read(stack.connection).ledger
    original = ledger.lives("positions")[number].birth
    values = {"home": str(stack.settings.home), "TIDEGRID_POSITIONS_TOPIC": "bare.positions"}
    document = environment.resolve(tomllib.loads(text), values, "")
    make_topics(stack, "bare.positions")
    now = time.time()
    for n in range(30):
        record: dict[str, object] = {
            "_source_system": f"s{n % 2}",
            "allotment": f"desk {n % 3}",
            "instrumentCode": f"I{n % 5}",
            "positionId": n,
            "pnl": n / 10,
            "mtm": 1.0,
            "isin": "x",
            "cusip": "y",
            "qty": 2,
            "price": 10 + n,
            "event_time": now - 30 + n,
        }
        stack.produce("bare.positions", record, key="k")
    stack.flush()
    apply(stack, "positions", document)
    latest = read_view(signed_in, "gold_latest", ["symbol", "instrumentCode", "price"])
    assert sorted(latest) == [[f"I{n}", f"I{n}", 35.0 + n] for n in range(5)]

    def kpi() -> list[list[Any]]:
        return sorted(read_view(signed_in, "gold_kpi_15m", ["symbol", "trades", "last"]))

    eventually(
        "every trade in the window", lambda: kpi() == [[f"I{n}", 6, 35.0 + n] for n in range(5)]
    )

    def totals() -> dict[Any, list[Any]]:
        rows = read_view(signed_in, "gold_totals", ["sourceSystem", "positions", "trades"])
        return {row[0]: row[1:] for row in rows}

    eventually("totals", lambda: totals().get("All") == [5, 30])
    top = read_view(signed_in, "top_by_px", ["symbol", "price"])
    assert [row[0] for row in top] == ["I4", "I3", "I2", "I1", "I0"]
    pnl = read_view(signed_in, "pnl_by_instrument", ["sourceSystem", "instrument"])
    assert {row[1] for row in pnl} == {f"I{n}" for n in range(5)}
    # Back to what the other tests use; the guard is against a table without rows.
    stack.produce(POSITIONS, {"symbol": "bare.back", "price": 1, "qty": 1})
    stack.flush()
    apply(stack, "positions", original.declaration)


def test_an_open_page_goes_over_to_a_view_whose_columns_changed(
    stack: Stack, signed_in: Page
) -> None:
    world = make_world(stack, "columns", users=5)
    sent(stack, world)
    grid = signed_in.get_by_test_id("panel-users").get_by_test_id("grid")
    signed_in.evaluate("window.neverReloaded = true")

    def is_followed(name: str) -> None:
        stack.produce(world["usersTopic"], {"userId": "columns-0", "name": name})
        stack.flush()
        expect(grid.get_by_text(name)).to_be_visible(timeout=20_000)

    is_followed("as it was")
    birth = lives(stack)[live(stack)].birth
    document = copy.deepcopy(with_topics(birth.declaration, birth.sources, birth.join))
    document["sources"]["users"]["columns"] = {"initial": "substring(name, 1, 1)"}
    apply(stack, "customers", document)
    initials = read_view(signed_in, "users_ui", ["userId", "initial"])
    assert ["columns-1", "c"] in initials
    is_followed("after the change")
    sent(stack, ROLLBACK)
    is_followed("after the rollback")
    assert signed_in.evaluate("window.neverReloaded")
    sent(stack, FIRST_WORLD)


def test_every_example_in_the_docs_runs(stack: Stack, signed_in: Page) -> None:
    assert len(EXAMPLES) > 8
    documents = {n: environment.resolve(tomllib.loads(text), {}, n) for text, n in EXAMPLES}
    assert len(documents) == len(EXAMPLES)
    for document in documents.values():
        topics = [source["topic"] for source in document["sources"].values()]
        make_topics(stack, *topics)
        for topic, source in zip(topics, document["sources"].values(), strict=True):
            for n in range(3):
                stack.produce(topic, _record(source, n), key=str(n))
    stack.flush()
    # Some at a time: there are not task slots for all of them.
    names_left = list(documents)
    while names_left:
        names, names_left = names_left[:4], names_left[4:]
        with ThreadPoolExecutor() as pool:
            said = list(pool.map(lambda name: apply(stack, name, documents[name]), names))
        assert all("live" in lines[-1] for lines in said), said
        for name in names:
            _has_all_tables(signed_in, name, documents[name])
        with ThreadPoolExecutor() as pool:
            list(pool.map(lambda name: sent(stack, {"remove": name}), names))


def _has_all_tables(page: Page, name: str, document: dict[str, Any]) -> None:
    wanted = {n for n, s in document.get("screens", {}).items() if not s.get("hidden")}
    wanted |= set(document["views"])
    eventually(f"the tables of {name}", lambda: tables_of(page, name) == wanted)
    rows = {view: read_view(page, view, ["ts"]) for view in document["views"]}
    assert all(rows.values()), (name, {view: len(found) for view, found in rows.items()})


def _record(source: dict[str, Any], number: int) -> dict[str, object]:
    """Return a record that a source can use."""
    record: dict[str, Any] = {}
    for name, declared in source["fields"].items():
        field = declared if isinstance(declared, dict) else {"type": declared}
        where = field.get("from", name)
        path = where.split(".") if isinstance(where, str) else where
        if path[0].startswith("$"):
            continue
        samples = {"long": number, "double": 1.5 + number, "boolean": True}
        value = samples.get(field.get("type", "string"), f"v{number}")
        if field.get("type") == "time":
            value = time.time() - number
        if field.get("one_of"):
            value = field["one_of"][0]
        place = record
        for part in path[:-1]:
            place = place.setdefault(part, {})
        place[path[-1]] = value
    return record

"""Receipts: what became of a generation, as JSON records on a compacted topic."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

import msgspec

from tidegrid.contract import declaration, layout, lifecycle, wire
from tidegrid.contract.declaration import DeclarationError
from tidegrid.contract.declaration.files import with_topics
from tidegrid.contract.declaration.types import Flow
from tidegrid.contract.lifecycle import PENDING, RUNNING, State
from tidegrid.contract.topics import COPIES
from tidegrid.contract.views import Layout, Types
from tidegrid.contract.wire import Malformed

#: Offsets by topic and partition: the shape Spark's Kafka source takes.
Offsets = dict[str, dict[str, int]]

#: Part of every recipe. Another number here is another shape of changelogs or of state: what an
#: earlier version of Tidegrid left is then built anew.
FORMAT = "5"
#: Part of a recipe if a pair of pipelines runs the generation.
PAIR = "pair"
#: How many are remembered: messages that were refused, and generations that are over.
_REFUSALS_KEPT, ENDED_KEPT = 1000, 100
#: What only the first receipt of a generation is written with.
_OF_BIRTH = ("declaration", "types")


@dataclass(frozen=True)
class Receipt:
    """One step in the life of a generation."""

    flow: str
    generation: int
    state: State
    at: str
    sources: dict[str, str] = field(default_factory=dict)
    join: str = "left"
    start: Offsets = field(default_factory=dict)
    end: Offsets = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    reason: str = ""
    #: Whether it takes over whatever the guard says.
    force: bool = False
    #: Where the sources are read from: `earliest`, `latest` or an ISO time.
    starting: str = "earliest"
    #: The offset of the control message that asked for it; -1 if the settings did.
    control: int = -1
    #: Rows of each view of the generation that was live, when this one had caught up.
    before: dict[str, int] = field(default_factory=dict)
    #: Settings that shape its rows and its state: it keeps them for as long as it runs.
    recipe: dict[str, str] = field(default_factory=dict)
    #: The flow as it was declared; its topics and its join are the ones named above.
    declaration: dict[str, Any] = field(default_factory=dict)
    #: The type of each derived column of each source, as Spark found it.
    types: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The Kafka key: each state that a message led to is kept once, and the last refusals."""
        if self.generation == 0:
            return f"{self.flow}/message-{self.control % _REFUSALS_KEPT}/{self.state}"
        return f"{self.flow}/{self.generation}/{self.state}/{self.control}"

    @property
    def copies(self) -> tuple[str, ...]:
        """The copies of its changelogs: two if a pair of pipelines runs it."""
        return COPIES if self.recipe.get(PAIR) else COPIES[:1]

    @property
    def of_this_version(self) -> bool:
        """Whether this version of Tidegrid can run what the receipt begins."""
        try:
            return self.recipe.get("format") == FORMAT and bool(self._layout)
        except (DeclarationError, LookupError, AttributeError, TypeError):
            return False

    @functools.cached_property
    def _flow(self) -> Flow:
        document = with_topics(self.declaration, self.sources, self.join)
        return declaration.parse(document, self.flow, where=f"receipt {self.key}", lenient=True)

    @functools.cached_property
    def _layout(self) -> Layout:
        return layout.layout(self._flow, cast(Types, self.types))

    def to_json(self) -> str:
        """Return the receipt as the JSON that goes on the topic."""
        fields = {f: getattr(self, f) for f in self.__dataclass_fields__}
        if self.state != "building":
            fields = {name: value for name, value in fields.items() if name not in _OF_BIRTH}
        return msgspec.json.encode(fields).decode()


_DECODER = msgspec.json.Decoder(Receipt)


def parse(value: bytes | str | None) -> Receipt | Malformed:
    """Return the receipt in a record."""
    return wire.decode(_DECODER, value)


def flow_of(receipt: Receipt) -> Flow:
    """Return the flow that a generation runs, by its first receipt; worked out once."""
    return receipt._flow


def layout_of(receipt: Receipt) -> Layout:
    """Return how the rows of a generation look, by its first receipt; worked out once."""
    return receipt._layout


def now() -> str:
    """Return the time as receipts have it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def to_read(receipt: Receipt) -> int:
    """Return how many offsets there are from the start to the end that a receipt names."""
    return sum(
        end - receipt.start.get(topic, {}).get(partition, 0)
        for topic, places in receipt.end.items()
        for partition, end in places.items()
    )


def read_so_far(receipt: Receipt, seen: Mapping[str, Mapping[str, int]]) -> int:
    """Return how many of those offsets have been seen, by the highest of each partition."""
    total = 0
    for topic, places in receipt.end.items():
        for partition, end in places.items():
            start = receipt.start.get(topic, {}).get(partition, 0)
            at = seen.get(topic, {}).get(partition, start - 1) + 1
            total += min(max(at, start), end) - start
    return total


def reached(receipt: Receipt, seen: Mapping[str, Mapping[str, int]]) -> bool:
    """Whether every source partition has been seen up to the end that the receipt names."""
    return all(
        end <= receipt.start.get(topic, {}).get(partition, 0)
        or seen.get(topic, {}).get(partition, -1) >= end - 1
        for topic, ends in receipt.end.items()
        for partition, end in ends.items()
    )


@dataclass(frozen=True)
class Takeover:
    """How long a generation took to take over, in seconds."""

    generation: int
    #: From its first receipt until every source had been read to its end.
    catch_up: float
    #: From then until viewers saw it.
    flip: float


@dataclass(frozen=True)
class Life:
    """A generation as its receipts tell it so far."""

    #: Its first receipt, which says all there is to build it.
    birth: Receipt
    state: State
    #: When it came into that state, and the control message that led to it.
    at: str
    control: int
    #: Why, if it is over and there was a reason.
    reason: str = ""

    @property
    def running(self) -> bool:
        """Whether it has queries, topics and tables."""
        return self.state in RUNNING

    @property
    def pending(self) -> bool:
        """Whether it is on its way to being live."""
        return self.state in PENDING


class Ledger:
    """All receipts there are, in the order they came: the state of every flow."""

    def __init__(self, receipts: Iterable[Receipt] = ()) -> None:
        self._receipts: dict[str, Receipt] = {}
        self._lives: dict[str, dict[int, Life]] = {}
        self._took_over: dict[str, list[int]] = {}
        for receipt in receipts:
            self.add(receipt)

    def add(self, receipt: Receipt) -> None:
        """Take a receipt, each once and in order."""
        # The order of the keys is the order of their last receipts, as on a compacted topic.
        self._receipts.pop(receipt.key, None)
        self._receipts[receipt.key] = receipt
        if receipt.generation == 0:
            return
        lives = self._lives.setdefault(receipt.flow, {})
        life = lives.get(receipt.generation)
        if not lifecycle.may_follow(receipt.state, life.state if life is not None else None):
            return
        birth = life.birth if life is not None else receipt
        lives[receipt.generation] = Life(
            birth, receipt.state, receipt.at, receipt.control, receipt.reason
        )
        if receipt.state == "live":
            self._took_over.setdefault(receipt.flow, []).append(receipt.generation)

    @property
    def flows(self) -> list[str]:
        """The flows that have generations, whether they run or not."""
        return [flow for flow, lives in self._lives.copy().items() if lives]

    def lives(self, flow: str) -> Mapping[int, Life]:
        """Return the generations of a flow, by number; a copy, for any thread."""
        return dict(sorted(self._lives.get(flow, {}).copy().items()))

    def live(self, flow: str) -> int | None:
        """Return the generation that took over last and still is the live one."""
        lives = self.lives(flow)
        took_over = reversed(self._took_over.get(flow, []).copy())
        return next((g for g in took_over if g in lives and lives[g].state == "live"), None)

    def pending(self, flow: str) -> int | None:
        """Return the newest generation that is on its way to being live."""
        found = (g for g, life in self.lives(flow).items() if life.pending)
        return max(found, default=None)

    def newest(self, flow: str) -> Receipt | None:
        """Return the first receipt of the generation that is pending, or else of the live one."""
        pending = self.pending(flow)
        number = self.live(flow) if pending is None else pending
        return None if number is None else self.lives(flow)[number].birth

    def last_takeover(self, flow: str) -> Takeover | None:
        """Return how long the newest generation that took over needed; a rollback is none."""
        receipts = [r for r in self._receipts.copy().values() if r.flow == flow]
        lives = self.lives(flow)
        for number in sorted(lives, reverse=True):
            at = {
                r.state: datetime.fromisoformat(r.at)
                for r in receipts
                # Receipts of a rollback name another message.
                if r.generation == number and r.control == lives[number].birth.control
            }
            if "caught-up" in at and "live" in at:
                caught_up, live = at["caught-up"], at["live"]
                return Takeover(
                    number,
                    (caught_up - at["building"]).total_seconds(),
                    (live - caught_up).total_seconds(),
                )
        return None

    @property
    def handled(self) -> int:
        """The offset of the last control message that has a receipt; -1 if there is none."""
        return max((r.control for r in self._receipts.values()), default=-1)

    def forget(self, key: str) -> Receipt | None:
        """Drop a receipt that was removed from the topic, and return it."""
        receipt = self._receipts.pop(key, None)
        if receipt is not None and receipt.state == "building":
            self._lives[receipt.flow].pop(receipt.generation, None)
            took_over = self._took_over.get(receipt.flow, [])
            self._took_over[receipt.flow] = [g for g in took_over if g != receipt.generation]
        return receipt

    def expired(self, flow: str, keep: int = ENDED_KEPT) -> list[str]:
        """Return the keys of generations that have been over for long, which nobody needs.

        The first receipt of each comes last: without it the others could not be found again.
        """
        lives = self.lives(flow)
        # What the settings asked for last is needed, to see whether they have changed.
        settled = max((g for g, life in lives.items() if life.birth.control < 0), default=0)
        over = [g for g, life in lives.items() if not life.running and g != settled]
        old = set(over[: max(len(over) - keep, 0)])
        found = [r for r in self._receipts.values() if r.flow == flow and r.generation in old]
        return [r.key for r in sorted(found, key=lambda r: r.state == "building")]

"""Receipts: what became of a generation, as JSON records on a compacted topic."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, get_args

State = Literal["building", "caught-up", "live", "lingering", "closed", "refused", "failed"]

#: Offsets by topic and partition: the shape Spark's Kafka source takes.
Offsets = dict[str, dict[str, int]]

#: States in which a generation has queries, topics and tables.
RUNNING: tuple[State, ...] = ("building", "caught-up", "live", "lingering")
#: States on the way to being live.
COMING: tuple[State, ...] = ("building", "caught-up")
#: How many are remembered: messages that were refused, and generations that are over.
_REFUSALS_KEPT, ENDED_KEPT = 1000, 100


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
    #: Where the sources are read from: `earliest`, `latest` or an ISO time.
    starting: str = "earliest"
    #: The offset of the control message that asked for it; -1 if the settings did.
    control: int = -1
    #: Rows of each view of the generation that was live, when this one had caught up.
    before: dict[str, int] = field(default_factory=dict)
    #: Settings that shape its rows and its state: it keeps them for as long as it runs.
    recipe: dict[str, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The Kafka key: each state that a message led to is kept once, and the last refusals."""
        if self.generation == 0:
            return f"{self.flow}/message-{self.control % _REFUSALS_KEPT}/{self.state}"
        return f"{self.flow}/{self.generation}/{self.state}/{self.control}"

    def to_json(self) -> str:
        """Return the receipt as the JSON that goes on the topic."""
        return json.dumps(asdict(self), separators=(",", ":"))


def parse(value: bytes | str | None) -> Receipt | None:
    """Return the receipt in a record, or None if the record holds none."""
    try:
        fields: Any = json.loads(value or b"")
        receipt = Receipt(**fields)
    except (ValueError, TypeError, RecursionError):
        return None
    texts = (receipt.flow, receipt.at, receipt.join, receipt.reason, receipt.starting)
    usable = (
        type(receipt.generation) is int
        and type(receipt.control) is int
        and receipt.state in get_args(State)
        and all(isinstance(t, str) for t in texts)
        and all(isinstance(d, dict) for d in (receipt.start, receipt.end))
        and all(isinstance(d, dict) for d in (receipt.sources, receipt.recipe))
        and all(isinstance(t, str) for d in (receipt.sources, receipt.recipe) for t in d.values())
    )
    return receipt if usable else None


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

    @property
    def running(self) -> bool:
        """Whether it has queries, topics and tables."""
        return self.state in RUNNING

    @property
    def coming(self) -> bool:
        """Whether it is on its way to being live."""
        return self.state in COMING


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
        if life is None:
            if receipt.state == "building":
                lives[receipt.generation] = Life(receipt, "building", receipt.at, receipt.control)
        elif life.running and receipt.state != "building":
            # What is over stays over: a part that had not heard of the end may have written on.
            lives[receipt.generation] = Life(life.birth, receipt.state, receipt.at, receipt.control)
            if receipt.state == "live":
                self._took_over.setdefault(receipt.flow, []).append(receipt.generation)

    def lives(self, flow: str) -> Mapping[int, Life]:
        """Return the generations of a flow, by number; a copy, for any thread."""
        return dict(sorted(self._lives.get(flow, {}).copy().items()))

    def live(self, flow: str) -> int | None:
        """Return the generation that took over last and still is the live one."""
        lives = self.lives(flow)
        took_over = reversed(self._took_over.get(flow, []).copy())
        return next((g for g in took_over if g in lives and lives[g].state == "live"), None)

    def coming(self, flow: str) -> int | None:
        """Return the newest generation that is on its way to being live."""
        found = (g for g, life in self.lives(flow).items() if life.coming)
        return max(found, default=None)

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

    def worn_out(self, flow: str, keep: int = ENDED_KEPT) -> list[str]:
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

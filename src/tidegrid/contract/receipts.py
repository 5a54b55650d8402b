"""Receipts: what became of a generation, as JSON records on a compacted topic."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

State = Literal["building", "caught-up", "live", "lingering", "closed", "refused", "failed"]

#: Offsets by topic and partition: the shape Spark's Kafka source takes.
Offsets = dict[str, dict[str, int]]

#: States in which a generation has queries, topics and tables.
RUNNING: tuple[State, ...] = ("building", "caught-up", "live", "lingering")
_REFUSALS_KEPT = 1000


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

    @property
    def key(self) -> str:
        """The Kafka key: each state of a generation is kept once, and the last refused messages."""
        if self.generation == 0:
            return f"{self.flow}/message-{self.control % _REFUSALS_KEPT}/{self.state}"
        return f"{self.flow}/{self.generation}/{self.state}"

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
        and all(isinstance(d, dict) for d in (receipt.sources, receipt.start, receipt.end))
        and all(isinstance(t, str) for t in receipt.sources.values())
    )
    return receipt if usable else None


def reached(receipt: Receipt, seen: Mapping[str, Mapping[str, int]]) -> bool:
    """Whether every source partition has been seen up to the end that the receipt names."""
    return all(
        end <= receipt.start.get(topic, {}).get(partition, 0)
        or seen.get(topic, {}).get(partition, -1) >= end - 1
        for topic, ends in receipt.end.items()
        for partition, end in ends.items()
    )


@dataclass(frozen=True)
class Life:
    """A generation as its receipts tell it so far."""

    #: Its first receipt, which says all there is to build it.
    birth: Receipt
    state: State
    #: When it came into that state.
    at: str

    @property
    def running(self) -> bool:
        """Whether it has queries, topics and tables."""
        return self.state in RUNNING


def lives(receipts: Iterable[Receipt], flow: str) -> dict[int, Life]:
    """Return the generations of a flow, by number; the last receipt of each tells its state."""
    found: dict[int, Life] = {}
    for receipt in receipts:
        if receipt.flow != flow or receipt.generation == 0:
            continue
        if receipt.state == "building":
            found[receipt.generation] = Life(receipt, "building", receipt.at)
        elif receipt.generation in found:
            birth = found[receipt.generation].birth
            found[receipt.generation] = Life(birth, receipt.state, receipt.at)
    return dict(sorted(found.items()))


def live(receipts: Iterable[Receipt], flow: str) -> int | None:
    """Return the generation that took over last and still runs."""
    known = list(receipts)
    states = lives(known, flow)
    took_over = [r.generation for r in known if r.flow == flow and r.state == "live"]
    running = (g for g in reversed(took_over) if g in states and states[g].state == "live")
    return next(running, None)

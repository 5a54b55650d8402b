"""Receipts: what became of a generation, as JSON records on a compacted topic."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

State = Literal["building", "caught-up", "live", "lingering", "closed", "refused", "failed"]

#: Offsets by topic and partition: the shape Spark's Kafka source takes.
Offsets = dict[str, dict[str, int]]


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

    @property
    def key(self) -> str:
        """The Kafka key: each state of a generation is kept once."""
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
    texts = (receipt.flow, receipt.at, receipt.join, receipt.reason)
    usable = (
        type(receipt.generation) is int
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


def newest(receipts: Iterable[Receipt]) -> dict[str, Receipt]:
    """Return, for each flow, the last receipt of its highest generation that was not refused."""
    found: dict[str, Receipt] = {}
    for receipt in receipts:
        if receipt.state == "refused":
            continue
        known = found.get(receipt.flow)
        if known is None or receipt.generation >= known.generation:
            found[receipt.flow] = receipt
    return found

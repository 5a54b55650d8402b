"""Receipts: what became of a generation, as JSON records on a compacted topic."""

from __future__ import annotations

import json
from collections.abc import Iterable
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
    except (ValueError, TypeError):
        return None
    usable = isinstance(receipt.generation, int) and receipt.state in get_args(State)
    return receipt if usable and isinstance(receipt.flow, str) else None


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

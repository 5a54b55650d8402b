"""Task slots: a real-time query holds them for as long as it runs, so they are counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

#: Generations that may run at once while one takes over from another.
GENERATIONS_AT_ONCE = 2
#: Slots on this machine: an idle task costs little, and topics of later swaps may have more
#: partitions.
LOCAL_SLOTS = 64


@dataclass(frozen=True)
class Demand:
    """How many task slots a query holds."""

    source_partitions: int
    shuffle_partitions: int

    @property
    def slots(self) -> int:
        """One for each partition it reads and each it shuffles to."""
        return self.source_partitions + self.shuffle_partitions


def slots_needed(demands: Iterable[Demand]) -> int:
    """Return the slots for the largest of a flow's generations, with room for one beside it."""
    return GENERATIONS_AT_ONCE * max((d.slots for d in demands), default=0)

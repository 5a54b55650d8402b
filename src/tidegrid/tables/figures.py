"""Figures: what the tables know of the generations they hold, for their report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tidegrid.contract.health import Figure
from tidegrid.contract.receipts import Offsets, Receipt
from tidegrid.kafka.ends import Whom


@dataclass(frozen=True)
class Seen:
    """What has come of one generation."""

    birth: Receipt
    #: The highest offset of each source partition.
    offsets: Offsets
    #: The newest time in it, in epoch milliseconds; None before the first row.
    newest: int | None
    #: Rejects by topic and kind of reason.
    rejects: Mapping[tuple[str, str], int]

    @property
    def whom(self) -> Whom:
        """The flow and the number of the generation."""
        return self.birth.flow, self.birth.generation

    @property
    def read(self) -> Offsets:
        """The offset after the last one that has come, of each source partition."""
        return {
            topic: {p: max(self.offsets.get(topic, {}).get(p, -1) + 1, s) for p, s in found.items()}
            for topic, found in self.birth.start.items()
        }


def highest(progress: Iterable[tuple[str, int, int, int]]) -> Offsets:
    """Return the highest offset of each source partition, over all changelogs."""
    found: Offsets = {}
    for topic, partition, offset, _ in progress:
        place = found.setdefault(topic, {})
        place[str(partition)] = max(place.get(str(partition), -1), offset)
    return found


def of_generation(seen: Seen, ends: Offsets) -> Iterator[Figure]:
    """Yield the figures of a generation; its lag only if the ends of its sources are known."""
    for topic, places in seen.read.items():
        for partition, read in places.items():
            place = (*seen.whom, topic, int(partition))
            yield Figure("events", read - seen.birth.start[topic][partition], *place)
            if partition in ends.get(topic, {}):
                yield Figure("lag", max(ends[topic][partition] - read, 0), *place)
    for (topic, reason), count in seen.rejects.items():
        yield Figure("rejects", count, *seen.whom, topic, label=reason)


def of_views(flow: str, generation: int, rows: Mapping[str, int]) -> Iterator[Figure]:
    """Yield the rows of the views that viewers see."""
    for view, count in rows.items():
        yield Figure("view_rows", count, flow, generation, label=view)

"""Sources: where a generation starts reading, and where it has caught up."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from tidegrid import kafka
from tidegrid.contract.messages import start_time
from tidegrid.contract.receipts import Offsets, Receipt
from tidegrid.errors import PipelineError
from tidegrid.kafka.connection import Connection


def located(connection: Connection, birth: Receipt) -> Receipt:
    """Return the first receipt of a generation with the offsets it reads from and has caught up at.

    They are resolved once, so that starting again before the first commit begins at the same place.
    """
    found = kafka.partitions(connection, birth.sources.values())
    gone = sorted(set(birth.sources.values()) - set(found))
    if gone:
        raise PipelineError(f"topic {gone[0]} does not exist")
    end = kafka.latest(connection, found)
    start = _start(connection, birth.starting, found)
    return replace(birth, start=start, end=kafka.ends_of_records(connection, start, end))


def up_to_now(connection: Connection, birth: Receipt) -> Receipt:
    """Return the first receipt of a generation with what there is to read of its sources now."""
    found = {topic: len(places) for topic, places in birth.start.items()}
    first, end = kafka.earliest(connection, found), kafka.latest(connection, found)
    start = {
        topic: {p: min(max(offset, first[topic][p]), end[topic][p]) for p, offset in places.items()}
        for topic, places in birth.start.items()
    }
    return replace(birth, start=start, end=kafka.ends_of_records(connection, start, end))


def missing(connection: Connection, wanted: Collection[str]) -> list[str]:
    """Return those of these topics that do not exist."""
    return sorted(set(wanted) - kafka.partitions(connection, wanted).keys())


def gone(connection: Connection, start: Offsets) -> str:
    """Return where records from a start on are not there any more; empty if they all are."""
    topics = {topic: len(found) for topic, found in start.items()}
    # A transaction that is open may be read up to its end, and nothing is gone.
    first, end = kafka.earliest(connection, topics), kafka.written(connection, topics)
    for topic, found in start.items():
        for partition, offset in found.items():
            if not first[topic][partition] <= offset <= end[topic][partition]:
                return f"{topic}[{partition}] from offset {offset} on"
    return ""


def _start(connection: Connection, starting: str, found: dict[str, int]) -> Offsets:
    at = start_time(starting)
    if at is not None:
        return kafka.since(connection, found, at)
    read = kafka.latest if starting == "latest" else kafka.earliest
    return read(connection, found)

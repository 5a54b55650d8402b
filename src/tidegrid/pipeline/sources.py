"""Sources: where a generation starts reading, and where it has caught up."""

from __future__ import annotations

from collections.abc import Collection

from tidegrid import kafka
from tidegrid.connection import Connection
from tidegrid.contract import control, receipts
from tidegrid.contract.control import Build
from tidegrid.contract.receipts import Offsets, Receipt
from tidegrid.errors import PipelineError


def first_receipt(
    connection: Connection,
    flow: str,
    number: int,
    wanted: Build,
    recipe: dict[str, str],
    offset: int,
) -> Receipt:
    """Return the receipt that a generation begins with.

    Its offsets are resolved once, so that starting again before the first commit begins at the
    same place.
    """
    found = kafka.partitions(connection, wanted.sources.values())
    gone = sorted(set(wanted.sources.values()) - set(found))
    if gone:
        raise PipelineError(f"topic {gone[0]} does not exist")
    end = kafka.latest(connection, found)
    start = _start(connection, wanted.starting, found)
    return Receipt(
        flow=flow,
        generation=number,
        state="building",
        at=receipts.now(),
        sources=wanted.sources,
        join=wanted.join,
        start=start,
        end=kafka.ends_of_records(connection, start, end),
        starting=wanted.starting,
        control=offset,
        recipe=recipe,
    )


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
    at = control.start_time(starting)
    if at is not None:
        return kafka.since(connection, found, at)
    read = kafka.latest if starting == "latest" else kafka.earliest
    return read(connection, found)

"""Sources: where a generation starts reading, and where it has caught up."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection

from tidegrid import kafka, logs
from tidegrid.contract import control, receipts
from tidegrid.contract.control import Build
from tidegrid.contract.receipts import Offsets, Receipt
from tidegrid.errors import PipelineError

_log = logs.get("pipeline")


def first_receipt(
    bootstrap: str, flow: str, number: int, wanted: Build, recipe: dict[str, str], offset: int
) -> Receipt:
    """Return the receipt that a generation begins with.

    Its offsets are resolved once, so that starting again before the first commit begins at the
    same place.
    """
    found = kafka.partitions(bootstrap, wanted.sources.values())
    missing = sorted(set(wanted.sources.values()) - set(found))
    if missing:
        raise PipelineError(f"topic {missing[0]} does not exist")
    end = kafka.latest(bootstrap, found)
    start = _start(bootstrap, wanted.starting, found)
    return Receipt(
        flow=flow,
        generation=number,
        state="building",
        at=receipts.now(),
        sources=wanted.sources,
        join=wanted.join,
        start=start,
        end=kafka.ends_of_records(bootstrap, start, end),
        starting=wanted.starting,
        control=offset,
        recipe=recipe,
    )


def wait_for(bootstrap: str, wanted: Collection[str], stop: threading.Event) -> bool:
    """Return true when these topics exist; false if told to stop before that."""
    said = 0.0
    while not stop.is_set():
        missing = set(wanted) - kafka.partitions(bootstrap, wanted).keys()
        if not missing:
            return True
        if time.monotonic() - said > 10:
            said = time.monotonic()
            _log.info("waiting for topic %s to exist", ", ".join(sorted(missing)))
        stop.wait(0.5)
    return False


def _start(bootstrap: str, starting: str, found: dict[str, int]) -> Offsets:
    at = control.start_time(starting)
    if at is not None:
        return kafka.since(bootstrap, found, at)
    read = kafka.latest if starting == "latest" else kafka.earliest
    return read(bootstrap, found)

"""Which pipelines run: one alone at a home, or a pair, each with a copy of the changelogs."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

from tidegrid import logs
from tidegrid.contract import control, topics
from tidegrid.kafka.connection import Connection
from tidegrid.kafka.lease import Lease
from tidegrid.machine.home import name_at, open_place, take_first_free

_log = logs.get("pipeline")


@contextlib.contextmanager
def copy_of_pair(
    home: Path, connection: Connection, member: str, stop: threading.Event
) -> Iterator[tuple[str, Lease] | None]:
    """Wait for a copy of the changelogs that no other pipeline writes; None if told to stop.

    The one that it had last is asked for first: that is the one it has checkpoints of.
    """
    remembered = home / f"copy-{member}"
    last = remembered.read_text() if remembered.exists() else ""
    copies = sorted(topics.COPIES, key=lambda copy: copy != last)
    with contextlib.ExitStack() as held:
        asked: dict[str, Lease] = {}
        said = False
        while not stop.wait(0.05):
            found = next((copy for copy, lease in asked.items() if lease.held(0.1)), None)
            if found is not None:
                for copy in [c for c in asked if c != found]:
                    asked.pop(copy).close()
                remembered.write_text(found)
                yield found, asked[found]
                return
            if all(lease.refused() for lease in asked.values()):
                left = [copy for copy in copies if copy not in asked]
                if left:
                    group = control.GROUPS_OF_PAIR[left[0]]
                    asked[left[0]] = held.enter_context(Lease(connection, member, group))
                elif not said:
                    said = True
                    _log.warning("a pair runs on this cluster; standing aside until one ends")
        yield None


@contextlib.contextmanager
def alone_at_home(home: Path, stop: threading.Event, most: int = 1) -> Iterator[str]:
    """Wait until fewer than so many other pipelines run with this home; yield this one's name.

    It is empty if told to stop before that.
    """
    with contextlib.ExitStack() as opened:
        numbers = range(1, most + 1)
        locks = [opened.enter_context(open_place(home, "pipeline", n)) for n in numbers]
        said = False
        while (free := take_first_free(locks)) is None:
            if not said:
                locks[0].seek(0)
                _log.warning(
                    "another pipeline runs here (process %s); standing aside until it ends",
                    locks[0].read().strip() or "unknown",
                )
                said = True
            if stop.wait(0.5):
                break
        yield "" if free is None or stop.is_set() else name_at(free)

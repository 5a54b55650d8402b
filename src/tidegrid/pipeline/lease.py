"""Leases: there is one to lead on a Kafka cluster, one for each copy of a pair, one for each home.

On the cluster a lease is the only partition of the control topic, which a consumer group gives to
one member at a time. The member of a home keeps its name, so that a pipeline that crashed takes its
lease again at once; one from elsewhere gets it when the other has been silent for some seconds.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import threading
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO

from confluent_kafka import Consumer, KafkaException, TopicPartition

from tidegrid import kafka, logs
from tidegrid.contract import control, topics
from tidegrid.errors import PipelineError
from tidegrid.kafka.connection import Connection

_log = logs.get("pipeline")

#: What a group gives to one member at a time.
_PLACE = TopicPartition(topics.CONTROL, 0)


class Lease:
    """A right that one pipeline of a cluster has at a time: that of a consumer group."""

    def __init__(self, connection: Connection, member: str, group: str = control.GROUP) -> None:
        """Ask for it; a member has the same name each time it asks."""
        #: Whether the group has said who has the lease, since the broker was last away.
        self._told = False
        self._consumer = kafka.reader(
            connection,
            **{
                "group.id": group,
                "group.instance.id": member,
                # Who has the lease keeps it when others come.
                "partition.assignment.strategy": "cooperative-sticky",
                "auto.offset.reset": "latest",
                "session.timeout.ms": 10000,
                "heartbeat.interval.ms": 2000,
            },
        )
        self._consumer.subscribe([topics.CONTROL], on_assign=self._on_assign, on_lost=self._on_lost)

    def __enter__(self) -> Lease:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._consumer.close()

    def wait(self, stop: threading.Event) -> bool:
        """Return true when the lease is ours; false if told to stop before that."""
        said = False
        while not stop.is_set():
            if self.held(0.2):
                return True
            if self._told and not said:
                said = True
                _log.warning("another pipeline runs on this cluster; standing aside until it ends")
        return False

    def held(self, seconds: float = 0) -> bool:
        """Whether the lease is ours; ask this often, it is how the group hears of us."""
        # What is in the topic is read elsewhere: here it comes by and is left. All of it, for the
        # group's word comes behind it.
        message = self._consumer.poll(seconds)
        while message is not None:
            error = message.error()
            if error is not None and error.fatal():
                raise PipelineError(f"another pipeline runs with this home folder: {error.str()}")
            message = self._consumer.poll(0)
        return bool(self._consumer.assignment())

    def confirmed(self) -> bool:
        """Whether the lease is ours by the group's own word: asks the broker, which takes a moment.

        A process that stood still learns only later that its time is over.
        """
        try:
            # Refused to whom the group no longer knows. What is committed is not used.
            _, end = self._consumer.get_watermark_offsets(_PLACE, cached=True)
            place = TopicPartition(_PLACE.topic, _PLACE.partition, max(end, 0))
            self._consumer.commit(offsets=[place], asynchronous=False)
        except KafkaException:
            return False
        return self.held()

    def refused(self) -> bool:
        """Whether another pipeline has the lease."""
        return not self.held() and self._told

    def require(self) -> None:
        """Fail if the lease was given to another pipeline; call this often, it keeps the lease."""
        if self.refused():
            raise PipelineError(
                "another pipeline took over while this one could not reach the broker; "
                "start this one again to stand by"
            )

    def _on_assign(self, _consumer: Consumer, _places: list[TopicPartition]) -> None:
        self._told = True

    def _on_lost(self, _consumer: Consumer, _places: list[TopicPartition]) -> None:
        # The broker was away for long. Whether somebody else has it now, the next answer says.
        self._told = False


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
                    asked.pop(copy).__exit__(None, None, None)
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
    home.mkdir(parents=True, exist_ok=True)
    places = ["pipeline", *(f"pipeline-{number}" for number in range(2, most + 1))]
    with contextlib.ExitStack() as opened:
        locks = [opened.enter_context((home / f"{place}.lock").open("a+")) for place in places]
        said = False
        while (free := _first_free(locks)) is None:
            if not said:
                locks[0].seek(0)
                _log.warning(
                    "another pipeline runs here (process %s); standing aside until it ends",
                    locks[0].read().strip() or "unknown",
                )
                said = True
            if stop.wait(0.5):
                break
        if free is None or stop.is_set():
            yield ""
            return
        locks[free].truncate(0)
        locks[free].write(str(os.getpid()))
        locks[free].flush()
        yield _name(home / f"{places[free]}.id")


def _first_free(locks: Sequence[IO[str]]) -> int | None:
    """Lock the first of some files that nobody else has locked."""
    for number, lock in enumerate(locks):
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return number
    return None


def _name(file: Path) -> str:
    """Return the name of a pipeline as member of a group; made once."""
    if not file.exists():
        file.write_text(uuid.uuid4().hex)
    return file.read_text().strip()

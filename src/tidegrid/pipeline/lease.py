"""The lease: there is one for a pipeline on a Kafka cluster, and one in each home folder.

On the cluster it is the only partition of the control topic, which a consumer group gives to one
member at a time. The member of a home keeps its name, so that a pipeline that crashed takes its
lease again at once; one from elsewhere gets it when the other has been silent for some seconds.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from confluent_kafka import Consumer, TopicPartition

from tidegrid import kafka, logs
from tidegrid.contract import control, topics
from tidegrid.errors import PipelineError
from tidegrid.kafka.connection import Connection

_log = logs.get("pipeline")


class Lease:
    """A pipeline's right to run on a cluster."""

    def __init__(self, connection: Connection, home: Path) -> None:
        #: Whether the group has said who sits where, since the broker was last away.
        self._told = False
        self._consumer = kafka.reader(
            connection,
            **{
                "group.id": control.GROUP,
                "group.instance.id": _name(home),
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
            self._poll(0.2)
            if self._held:
                return True
            if self._told and not said:
                said = True
                _log.warning("another pipeline runs on this cluster; standing aside until it ends")
        return False

    def require(self) -> None:
        """Fail if the lease was given to another pipeline; call this often, it keeps the lease."""
        self._poll(0)
        if self._told and not self._held:
            raise PipelineError(
                "another pipeline took over while this one could not reach the broker; "
                "start this one again to stand by"
            )

    @property
    def _held(self) -> bool:
        return bool(self._consumer.assignment())

    def _poll(self, seconds: float) -> None:
        # What is in the topic is read elsewhere: here it comes by and is left. All of it, for the
        # group's word comes behind it.
        message = self._consumer.poll(seconds)
        while message is not None:
            error = message.error()
            if error is not None and error.fatal():
                raise PipelineError(f"another pipeline runs with this home folder: {error.str()}")
            message = self._consumer.poll(0)

    def _on_assign(self, _consumer: Consumer, _places: list[TopicPartition]) -> None:
        self._told = True

    def _on_lost(self, _consumer: Consumer, _places: list[TopicPartition]) -> None:
        # The broker was away for long. Whether somebody else sits here now, the next answer says.
        self._told = False


@contextlib.contextmanager
def alone_at_home(lock: Path, stop: threading.Event) -> Iterator[bool]:
    """Wait until no other pipeline runs with this home; false if told to stop before that."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("a+") as held:
        said = False
        while not stop.is_set():
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if not said:
                    held.seek(0)
                    _log.warning(
                        "another pipeline runs here (process %s); standing aside until it ends",
                        held.read().strip() or "unknown",
                    )
                    said = True
                stop.wait(0.5)
        if stop.is_set():
            yield False
            return
        held.truncate(0)
        held.write(str(os.getpid()))
        held.flush()
        yield True


def _name(home: Path) -> str:
    """Return the name of a home as a member of the group; made once."""
    file = home / "pipeline.id"
    if not file.exists():
        file.write_text(uuid.uuid4().hex)
    return file.read_text().strip()

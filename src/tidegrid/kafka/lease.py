"""Leases: a right that one process on a Kafka cluster has at a time.

It is the only partition of the control topic, which a consumer group gives to one member. A member
keeps its name, so that a process that crashed takes its lease again at once; one with another name
gets it when the other has been silent for some seconds.
"""

from __future__ import annotations

import threading
from types import TracebackType

from confluent_kafka import Consumer, KafkaException, TopicPartition

from tidegrid import kafka, logs
from tidegrid.contract import control, topics
from tidegrid.contract.lifecycle import Part
from tidegrid.errors import KafkaError
from tidegrid.kafka.connection import Connection

#: What a group gives to one member at a time.
_PLACE = TopicPartition(topics.CONTROL, 0)


class Lease:
    """What one member of a consumer group has at a time."""

    def __init__(
        self,
        connection: Connection,
        member: str,
        group: str = control.GROUP,
        part: Part = "pipeline",
    ) -> None:
        """Ask for it; a member has the same name each time it asks."""
        self._part = part
        self._log = logs.get(part)
        self._group = group
        #: The last error that was told.
        self._said = ""
        #: Whether the group has said who has the lease, since the broker was last away.
        self.told = False
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
        self.close()

    def close(self) -> None:
        """Hear of it no more; a member with this name has it again at once."""
        self._consumer.close()

    def wait(self, stop: threading.Event) -> bool:
        """Return true when the lease is ours; false if told to stop before that."""
        said = False
        while not stop.is_set():
            if self.held(0.2):
                return True
            if self.told and not said:
                said = True
                self._log.warning(
                    "another %s runs on this cluster; standing aside until it ends", self._part
                )
        return False

    def held(self, seconds: float = 0) -> bool:
        """Whether the lease is ours; ask this often, it is how the group hears of us."""
        # What is in the topic is read elsewhere: here it comes by and is left. All of it, for the
        # group's word comes behind it.
        message = self._consumer.poll(seconds)
        while message is not None:
            error = message.error()
            # Such as no right to be in the group: it would be waited for in vain, and nobody know.
            if error is not None and not error.fatal() and error.str() != self._said:
                self._said = error.str()
                self._log.warning("consumer group %s: %s", self._group, self._said)
            if error is not None and error.fatal():
                raise KafkaError(
                    f"another {self._part} process runs with the name of this one, such as from a "
                    f"copy of its home folder: {error.str()}"
                )
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
        """Whether another member has the lease."""
        return not self.held() and self.told

    def require(self) -> None:
        """Fail if the lease was given to another member; call this often, it keeps the lease."""
        if self.refused():
            raise KafkaError(
                f"another {self._part} took over while this one could not reach the broker; "
                "start this one again to stand by"
            )

    def _on_assign(self, _consumer: Consumer, _places: list[TopicPartition]) -> None:
        self.told = True

    def _on_lost(self, _consumer: Consumer, _places: list[TopicPartition]) -> None:
        # The broker was away for long. Whether somebody else has it now, the next answer says.
        self.told = False

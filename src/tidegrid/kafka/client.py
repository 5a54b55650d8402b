"""What every stage asks of Kafka: topics, offsets, a small reader. Errors become our own here."""

from __future__ import annotations

import contextlib
import functools
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from typing import Any

from confluent_kafka import (
    Consumer,
    IsolationLevel,
    KafkaException,
    Message,
    Producer,
    TopicPartition,
)
from confluent_kafka import KafkaError as Librdkafka
from confluent_kafka.admin import AdminClient, ClusterMetadata, NewTopic, OffsetSpec

from tidegrid.contract.receipts import Offsets
from tidegrid.errors import KafkaError
from tidegrid.kafka.connection import Connection
from tidegrid.retry import Retry

_Place = tuple[str, int]
#: Seconds to wait for an answer, and for the next record of a topic.
_TIMEOUT = 10.0
#: What a broker says of a partition that it is just making, or handing over.
_IN_A_MOMENT = {
    Librdkafka.UNKNOWN_TOPIC_OR_PART,
    Librdkafka.LEADER_NOT_AVAILABLE,
    Librdkafka.NOT_LEADER_FOR_PARTITION,
    Librdkafka.FENCED_LEADER_EPOCH,
    Librdkafka.UNKNOWN_LEADER_EPOCH,
}
#: Why a login fails, which counts for more than that a connection does.
_LOGIN = {
    Librdkafka._AUTHENTICATION,
    Librdkafka._SSL,
    Librdkafka.SASL_AUTHENTICATION_FAILED,
}


class _Heard:
    """The newest reason that librdkafka gave, on its own threads, for a connection that fails."""

    def __init__(self) -> None:
        self.login = ""
        self.other = ""

    def note(self, error: Librdkafka) -> None:
        if error.code() in _LOGIN:
            self.login = error.str()
        elif error.code() != Librdkafka._ALL_BROKERS_DOWN:
            self.other = error.str()

    def clear(self) -> None:
        self.login = self.other = ""


@functools.cache
def _heard(_connection: Connection) -> _Heard:
    return _Heard()


def _client(connection: Connection) -> dict[str, Any]:
    """Return what every client is given; librdkafka's own lines on standard error are silenced."""
    return {**connection.librdkafka(), "log_level": 0, "error_cb": _heard(connection).note}


@functools.cache
def admin(connection: Connection) -> AdminClient:
    """Return the admin client of this process, which keeps its connections."""
    return AdminClient(_client(connection))


def producer(connection: Connection, **config: Any) -> Producer:
    """Return a producer that waits for the broker's answer and writes no record twice."""
    return Producer({**_client(connection), "enable.idempotence": True, **config})


def reporter(connection: Connection) -> Producer:
    """Return a producer for what is soon out of date: a report may be lost, or come twice.

    One that writes no record twice can fail for good when the machine sleeps.
    """
    return producer(connection, **{"enable.idempotence": False, "message.timeout.ms": 5000})


class Sender:
    """Produces single records and waits for each; keeps its connection between them."""

    def __init__(self, connection: Connection) -> None:
        self._producer = producer(connection, **{"message.timeout.ms": 10000, "linger.ms": 0})

    def send(self, topic: str, value: str) -> int:
        """Produce a record and return its offset; fails if the broker does not take it in time."""
        offsets: list[int] = []
        problems: list[str] = []

        def on_delivery(error: Librdkafka | None, message: Message) -> None:
            if error is None:
                offsets.append(message.offset() or 0)
            else:
                problems.append(error.str())

        self._producer.produce(topic, value=value, on_delivery=on_delivery)
        self._producer.flush(15)
        if not offsets:
            raise KafkaError(f"the message could not be sent to {topic}: {'; '.join(problems)}")
        return offsets[0]


def reader(connection: Connection, **config: Any) -> Consumer:
    """Return a consumer that is assigned by hand and commits nothing."""
    return Consumer(
        {
            **_client(connection),
            "group.id": "tidegrid-reader",
            "enable.auto.commit": False,
            "auto.offset.reset": "earliest",
            **config,
        }
    )


def cluster_id(connection: Connection, timeout: float = 5) -> str:
    """Return the id of the cluster; fails if no broker answers in time."""
    return str(_metadata(connection, timeout).cluster_id)


def refusal(connection: Connection) -> str:
    """Return the reason that was given why a login fails; empty if none was."""
    return _heard(connection).login


def wait(connection: Connection, stop: threading.Event, say: Callable[[str], None]) -> str:
    """Return the id of the cluster when a broker answers, and say so while none does.

    Empty if told to stop before that.
    """
    retry = Retry(longest=15)
    while not stop.is_set():
        try:
            return cluster_id(connection)
        except KafkaError as e:
            pause = retry.wait()
            say(f"{e}; trying again in {pause:.0f} s")
        stop.wait(pause)
    return ""


def partitions(connection: Connection, topics: Iterable[str]) -> dict[str, int]:
    """Return how many partitions each topic has; one that does not exist is left out."""
    found = _metadata(connection).topics
    return {t: len(found[t].partitions) for t in set(topics) if t in found and found[t].partitions}


def names(connection: Connection) -> list[str]:
    """Return the names of all topics."""
    return sorted(_metadata(connection).topics)


def _metadata(connection: Connection, timeout: float = _TIMEOUT) -> ClusterMetadata:
    client, heard = admin(connection), _heard(connection)
    try:
        found = client.list_topics(timeout=timeout)
    except KafkaException as e:
        # Reasons are handed over only when asked for.
        client.poll(0)
        said = heard.login or heard.other or _text(e)
        raise KafkaError(
            f"no broker answers at {connection.bootstrap}: {connection.explained(said)}"
        ) from e
    heard.clear()
    return found


def ensure_topics(
    connection: Connection, topics: Mapping[str, int], config: Mapping[str, str]
) -> None:
    """Make the topics that are not there yet, and return when the broker knows them all."""
    if not topics:
        return
    # A replication of -1 is the broker's default.
    new = [NewTopic(t, n, -1, config=dict(config)) for t, n in topics.items()]
    for topic, done in admin(connection).create_topics(new).items():
        try:
            _result(done)
        except KafkaException as e:
            if e.args[0].code() != Librdkafka.TOPIC_ALREADY_EXISTS:
                raise KafkaError(f"topic {topic} could not be made: {_text(e)}") from e
    deadline = time.monotonic() + 30
    while len(partitions(connection, topics)) < len(topics):
        if time.monotonic() > deadline:
            raise KafkaError(f"topics {', '.join(topics)} were made but do not show up")


def delete_topics(connection: Connection, topics: Iterable[str]) -> None:
    """Remove topics; one that is gone already is fine."""
    for topic, done in admin(connection).delete_topics(list(topics)).items():
        try:
            _result(done)
        except KafkaException as e:
            if e.args[0].code() != Librdkafka.UNKNOWN_TOPIC_OR_PART:
                raise KafkaError(f"topic {topic} could not be removed: {_text(e)}") from e


def _offsets(
    connection: Connection,
    topics: Mapping[str, int],
    spec: OffsetSpec,
    isolation: IsolationLevel = IsolationLevel.READ_COMMITTED,
) -> Offsets:
    """Return an offset of every partition, such as the earliest or the latest.

    The latest is before a transaction that is still open: behind it nothing can be read yet.
    """
    todo = {TopicPartition(t, p): spec for t, n in topics.items() for p in range(n)}
    found: Offsets = {topic: {} for topic in topics}
    deadline = time.monotonic() + 10
    while todo:
        answers = admin(connection).list_offsets(todo, isolation_level=isolation)
        for place, done in answers.items():
            try:
                found[place.topic][str(place.partition)] = _result(done).offset
                del todo[place]
            except KafkaException as e:
                if e.args[0].code() not in _IN_A_MOMENT or time.monotonic() > deadline:
                    raise KafkaError(
                        f"offsets of {place.topic}[{place.partition}] cannot be read: {_text(e)}"
                    ) from e
        if todo:
            time.sleep(0.1)
    return found


def earliest(connection: Connection, topics: Mapping[str, int]) -> Offsets:
    """Return the first offset of every partition."""
    return _offsets(connection, topics, OffsetSpec.earliest())


def latest(connection: Connection, topics: Mapping[str, int]) -> Offsets:
    """Return the offset after the last record of every partition."""
    return _offsets(connection, topics, OffsetSpec.latest())


def newest_times(connection: Connection, topics: Mapping[str, int]) -> dict[str, int]:
    """Return when the newest record of each topic was written, in epoch milliseconds.

    Brokers know it without a record being read. A topic is left out if it has none, or if its
    broker does not tell.
    """
    todo = [TopicPartition(t, p) for t, n in topics.items() for p in range(n)]
    found: dict[str, int] = {}
    if not todo:
        return found
    answers = admin(connection).list_offsets(dict.fromkeys(todo, OffsetSpec.max_timestamp()))
    for place, done in answers.items():
        with contextlib.suppress(KafkaException):
            at = _result(done).timestamp
            if at >= 0:
                found[place.topic] = max(at, found.get(place.topic, at))
    return found


def written(connection: Connection, topics: Mapping[str, int]) -> Offsets:
    """Return the offset after the last record of every partition, in a transaction or not."""
    return _offsets(connection, topics, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED)


def since(connection: Connection, topics: Mapping[str, int], millis: int) -> Offsets:
    """Return the first offset of every partition at or after a time; its end if there is none."""
    found = _offsets(connection, topics, OffsetSpec.for_timestamp(millis))
    ends = latest(connection, topics)
    return {
        topic: {p: offset if offset >= 0 else ends[topic][p] for p, offset in places.items()}
        for topic, places in found.items()
    }


def ends_of_records(connection: Connection, start: Offsets, end: Offsets) -> Offsets:
    """Return the offset after the last record of every partition, no further than `end`.

    The end of a partition need not have a record before it: a transaction leaves a marker there,
    and compaction a gap. Where there is no record at all it is the start.
    """
    places = [
        (topic, int(p), offset) for topic, found in end.items() for p, offset in found.items()
    ]
    ends = {topic: dict(found) for topic, found in start.items()}
    todo = {(t, p): offset for t, p, offset in places if offset > start[t][str(p)]}
    # At the end of a partition a fetch would wait for more; what is asked for next, behind it.
    consumer = reader(connection, **{"enable.partition.eof": True, "fetch.wait.max.ms": 10})
    try:
        back = 1
        while todo:
            begins = {(t, p): max(start[t][str(p)], o - back) for (t, p), o in todo.items()}
            for (topic, partition), last in _last_before(consumer, begins, todo).items():
                if last is not None:
                    ends[topic][str(partition)] = last + 1
                elif begins[topic, partition] > start[topic][str(partition)]:
                    continue
                del todo[topic, partition]
            back *= 8
    finally:
        consumer.close()
    return ends


def _last_before(
    consumer: Consumer, begins: Mapping[_Place, int], ends: Mapping[_Place, int]
) -> dict[_Place, int | None]:
    """Return, of each partition, the last offset with a record between two offsets."""
    consumer.assign([TopicPartition(t, p, offset) for (t, p), offset in begins.items()])
    found: dict[_Place, int | None] = dict.fromkeys(begins)
    todo = set(begins)
    deadline = time.monotonic() + 15
    while todo and time.monotonic() < deadline:
        message = consumer.poll(0.2)
        if message is None:
            continue
        place = (message.topic() or "", message.partition() or 0)
        error = message.error()
        offset = message.offset() or 0
        if error is None and offset < ends.get(place, 0):
            found[place] = offset
        at_end = error is not None and error.code() == Librdkafka._PARTITION_EOF
        if at_end or (error is None and offset >= ends.get(place, 0) - 1):
            todo.discard(place)
    if todo:
        topic, partition = min(todo)
        raise KafkaError(f"the end of {topic}[{partition}] could not be read in 15 s")
    return found


def read_all(connection: Connection, topic: str) -> list[Message]:
    """Return every record of a topic up to its present end; empty if there is no such topic."""
    found = partitions(connection, [topic])
    if not found:
        return []
    ends = latest(connection, found)[topic]
    starts = earliest(connection, found)[topic]
    todo = {int(p): end for p, end in ends.items() if end > starts[p]}
    consumer = reader(connection, **{"enable.partition.eof": True})
    messages: list[Message] = []
    try:
        consumer.assign([TopicPartition(topic, p, starts[str(p)]) for p in todo])
        deadline = time.monotonic() + _TIMEOUT
        while todo:
            message = consumer.poll(0.2)
            if time.monotonic() > deadline:
                raise KafkaError(f"topic {topic} could not be read in {_TIMEOUT:.0f} s")
            if message is None:
                continue
            error = message.error()
            partition = message.partition() or 0
            if error is None:
                messages.append(message)
                deadline = time.monotonic() + _TIMEOUT
            elif error.code() == Librdkafka._PARTITION_EOF:
                todo.pop(partition, None)
            elif error.fatal():
                raise KafkaError(f"topic {topic} cannot be read: {error.str()}")
    finally:
        consumer.close()
    return messages


def _result(done: Future[Any]) -> Any:
    """Return what an admin client was asked for; no answer is an error like any other."""
    try:
        return done.result(30)
    except TimeoutError as e:
        raise KafkaError("the broker does not answer") from e


def _text(error: KafkaException) -> str:
    cause = error.args[0]
    return str(cause.str()) if hasattr(cause, "str") else str(cause)

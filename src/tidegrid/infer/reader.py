"""The newest records of a topic, of all its partitions, read in bounded time."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Collection, Mapping
from typing import Any

from confluent_kafka import Message, TopicPartition

from tidegrid import kafka
from tidegrid.errors import KafkaError
from tidegrid.infer.seen import Record
from tidegrid.kafka.connection import Connection

_TIMEOUT = 10.0
#: Of all that is read, no more than this is held: where records are large, fewer of the newest.
_MOST_BYTES = 2**25


def newest(connection: Connection, topic: str, count: int) -> list[Record]:
    """Return the last records of a topic, oldest first; fails if there is no such topic."""
    wanted = kafka.partitions(connection, [topic])
    if not wanted:
        raise KafkaError(f"there is no topic {topic}: make it and produce to it, or name another")
    start = kafka.earliest(connection, wanted)
    end = kafka.ends_of_records(connection, start, kafka.latest(connection, wanted))
    there = {int(p): last - start[topic][p] for p, last in end[topic].items()}
    places = {
        p: (end[topic][str(p)] - share, end[topic][str(p)])
        for p, share in shares(there, count).items()
    }
    found = sorted(_read(connection, topic, places), key=lambda m: m.timestamp()[1])
    return [_record(message) for message in found]


def shares(there: Mapping[int, int], count: int) -> dict[int, int]:
    """Return how many records to take of each partition, evenly where they have enough."""
    found: dict[int, int] = {}
    left = sorted(((size, p) for p, size in there.items() if size > 0))
    while left and count > 0:
        size, partition = left.pop(0)
        found[partition] = min(size, max(count // (len(left) + 1), 1))
        count -= found[partition]
    return found


def _read(
    connection: Connection, topic: str, places: Mapping[int, tuple[int, int]]
) -> Collection[Message]:
    todo = {p: end for p, (_, end) in places.items()}
    found: deque[Message] = deque()
    held = 0
    deadline = time.monotonic() + _TIMEOUT
    consumer = kafka.reader(connection)
    try:
        consumer.assign([TopicPartition(topic, p, begin) for p, (begin, _) in places.items()])
        while todo and (time.monotonic() < deadline or not found):
            message = consumer.poll(0.2)
            if message is None:
                if time.monotonic() > deadline:
                    raise KafkaError(
                        f"{topic} has records and none came in {_TIMEOUT:.0f} s: see whether the "
                        "brokers that hold its partitions can be reached from here"
                    )
                continue
            error, partition = message.error(), message.partition() or 0
            if error is not None:
                raise KafkaError(
                    f"{topic} cannot be read: {error.str()}: allow READ on topic {topic}"
                )
            if (message.offset() or 0) < todo.get(partition, 0):
                found.append(message)
                held += _size(message)
            while held > _MOST_BYTES and len(found) > 1:
                held -= _size(found.popleft())
            if (message.offset() or 0) >= todo.get(partition, 0) - 1:
                todo.pop(partition, None)
    finally:
        consumer.close()
    return found


def _record(message: Message) -> Record:
    # Of several with one name the first counts, as in the pipeline.
    given: list[Any] = list(message.headers() or ())
    headers = {name: value for name, value in reversed(given) if isinstance(value, bytes)}
    return Record(
        as_bytes(message.key()),
        as_bytes(message.value()),
        message.timestamp()[1],
        headers,
        message.partition() or 0,
        message.offset() or 0,
    )


def _size(message: Message) -> int:
    return len(message.value() or b"")


def as_bytes(value: str | bytes | None) -> bytes | None:
    """Return a key or a value as bytes, which the client's types leave open."""
    return value.encode() if isinstance(value, str) else value

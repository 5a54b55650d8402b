"""One record of a topic, by its partition and offset, as it is in Kafka.

A read at an offset that Kafka has removed goes on with a later record: that is said, and the other
record is never taken for the one that was asked for.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from confluent_kafka import KafkaError as Librdkafka
from confluent_kafka import Message, TopicPartition

from tidegrid import kafka
from tidegrid.contract import messages
from tidegrid.errors import KafkaError
from tidegrid.infer.look import Look, refusal, text
from tidegrid.infer.reader import as_bytes
from tidegrid.kafka.connection import Connection

_TIMEOUT = 10.0
_MOST_PARTITION, _MOST_OFFSET = 2**31 - 1, 2**63 - 1
#: How much of a record is shown: the last answers are kept, so it has to end somewhere.
_VALUE_CHARS = 100_000
_KEY_CHARS = _HEADER_CHARS = 2048
_MOST_HEADERS = 50


@dataclass(frozen=True)
class Place:
    """Where a record is."""

    topic: str
    partition: int
    offset: int

    def __str__(self) -> str:
        return f"offset {self.offset} of partition {self.partition} of {self.topic}"


@dataclass(frozen=True)
class Whole:
    """What is in a record."""

    key: bytes | None
    value: bytes | None
    #: When it was written, in epoch milliseconds.
    at: int
    #: In their order: a name may be there twice, and a value be missing.
    headers: Sequence[tuple[str, bytes | None]] = ()


def one_record(connection: Connection, topic: str, partition: str, offset: str) -> Look:
    """Read exactly that record, in bounded time; there is no flow in the answer."""
    if (refused := refusal(connection, topic)) is not None:
        return refused
    try:
        place = place_of(topic, partition, offset)
        return Look(topic, [shown(place, _read(connection, place))])
    except KafkaError as e:
        return Look(topic, problem=str(e))


def place_of(topic: str, partition: str, offset: str) -> Place:
    """Return the place that somebody has written; fails if there can be none such."""
    return Place(
        topic,
        _number("partition", partition, _MOST_PARTITION),
        _number("offset", offset, _MOST_OFFSET),
    )


def absence(place: Place, start: int, end: int) -> str:
    """Return why a record cannot be in a partition from `start` to before `end`, or nothing."""
    if place.offset < start:
        return f"{_gone(place)}; the partition now begins at offset {start}"
    if place.offset >= end:
        return f"{place} is not there yet: the partition ends before offset {end}"
    return ""


def another(place: Place, came: int | None) -> str:
    """Return what to say of the offset that came of a read at a place; None is the end.

    Nothing if it is the one that was asked for.
    """
    if came == place.offset:
        return ""
    follows = "no record follows" if came is None else f"the next record is at offset {came}"
    return f"{_gone(place)}, by compaction or with a transaction that was aborted; {follows}"


def shown(place: Place, record: Whole) -> dict[str, Any]:
    """Return a record as plain values; its headers are pairs of a name and a text."""
    headers = [
        (name[:_HEADER_CHARS], text(held, _HEADER_CHARS))
        for name, held in record.headers[:_MOST_HEADERS]
    ]
    value = text(record.value, _VALUE_CHARS)
    return {
        "partition": place.partition,
        "offset": place.offset,
        "at": record.at,
        "key": text(record.key, _KEY_CHARS),
        "value": value,
        "bytes": len(record.value or b""),
        "cut": value is not None and len(value) > _VALUE_CHARS,
        "headers": headers,
    }


def _number(name: str, given: str, most: int) -> int:
    if not given:
        raise KafkaError(f"the {name} is missing: a record is found by its partition and offset")
    if not re.fullmatch("[0-9]{1,19}", given) or int(given) > most:
        raise KafkaError(f"{name} {messages.shown(given)} is no whole number from 0 to {most}")
    return int(given)


def _gone(place: Place) -> str:
    return f"{place} is gone: Kafka has removed it"


def _read(connection: Connection, place: Place) -> Whole:
    wanted = kafka.partitions(connection, [place.topic])
    count = wanted.get(place.topic, 0)
    if place.partition >= count:
        raise KafkaError(f"{place.topic} has no partition {place.partition}: it has {count}")
    start, end = (
        found(connection, wanted)[place.topic][str(place.partition)]
        for found in (kafka.earliest, kafka.latest)
    )
    if said := absence(place, start, end):
        raise KafkaError(said)
    message = _next(connection, place)
    said = another(place, message.offset() if message is not None else None)
    if message is None or said:
        raise KafkaError(said)
    given: list[Any] = list(message.headers() or ())
    return Whole(
        as_bytes(message.key()),
        as_bytes(message.value()),
        message.timestamp()[1],
        [(name, as_bytes(held)) for name, held in given],
    )


def _next(connection: Connection, place: Place) -> Message | None:
    """Return the first record from a place on; None if the partition ends before one comes."""
    # One record is wanted: no more than one answer of the broker is fetched ahead.
    consumer = kafka.reader(connection, **{"enable.partition.eof": True, "queued.min.messages": 1})
    deadline = time.monotonic() + _TIMEOUT
    try:
        consumer.assign([TopicPartition(place.topic, place.partition, place.offset)])
        while time.monotonic() < deadline:
            message = consumer.poll(0.2)
            if message is None:
                continue
            error = message.error()
            if error is None:
                return message
            if error.code() == Librdkafka._PARTITION_EOF:
                return None
            raise KafkaError(
                f"{place} cannot be read: {error.str()}: allow READ on topic {place.topic}"
            )
    finally:
        consumer.close()
    raise KafkaError(
        f"{place} did not come in {_TIMEOUT:.0f} s: see whether the broker that holds the "
        "partition can be reached from here"
    )

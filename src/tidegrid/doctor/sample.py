"""Sample records: the newest of a source, and whether the pipeline will be able to use them."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Mapping, Sequence

from confluent_kafka import Message, TopicPartition

from tidegrid import kafka
from tidegrid.connection import Connection
from tidegrid.contract import sources
from tidegrid.contract.sources import Source
from tidegrid.doctor import record
from tidegrid.doctor.findings import Answer, Problem, shown
from tidegrid.settings import Settings

#: How many records are looked at, over all partitions, and the seconds to wait for them.
_RECORDS = 20
_PATIENCE = 10.0


def look(settings: Settings, flow: str, kind: str, partitions: int) -> Answer[None]:
    """Look at the newest records of a source."""
    topic = settings.sources(flow)[kind]
    found = newest(settings.connection, topic, partitions)
    encoding = settings.customers.encoding if flow == "customers" else settings.positions.encoding
    values = [(m.value(), m.timestamp()[1]) for m in found]
    most = settings.pipeline.max_value_bytes
    return judge(values, _source(settings, kind), encoding, most, f"{flow}.encoding")


def judge(
    values: Sequence[tuple[bytes | None, int]],
    source: Source,
    encoding: str,
    most_bytes: int,
    setting: str,
) -> Answer[None]:
    """Say what is to be said of records, each with its timestamp."""
    if not values:
        return Answer("no record yet", None, "warning", "produce one to see whether it can be used")
    now = int(time.time() * 1000)
    looks = [record.look(v, source, encoding, most_bytes, max(at, now)) for v, at in values]
    bad = [(value, seen) for (value, _), seen in zip(values, looks, strict=True) if seen.problems]
    if not bad:
        there = frozenset[str]().union(*(seen.fields for seen in looks))
        absent = [name for name in source.fields if name not in there]
        none = f"; none has {shown(', '.join(absent), 100)}" if absent else ""
        return Answer(f"the newest {len(looks)} can be used{none}", None)
    reasons = Counter("; ".join(seen.problems[:3]) for _, seen in bad)
    [(reason, _)] = reasons.most_common(1)
    value = next(value for value, seen in bad if "; ".join(seen.problems[:3]) == reason)
    detail = f"{len(bad)} of the newest {len(looks)} cannot be used: {shown(reason, 200)}"
    start = shown((value or b"")[:240].decode(errors="replace"))
    detail += f": {start}" if start else ""
    fix = advice(value, encoding, setting) or (
        "see what produces such records; each becomes a row of rejects, and the others go on"
    )
    if len(bad) < len(looks):
        return Answer(detail, None, "warning", fix)
    raise Problem(detail, fix)


def advice(value: bytes | None, encoding: str, setting: str) -> str:
    """Return what to do about a record in another form than the settings say; empty if it is not.

    It is told by what is inside: an object in the other form.
    """
    if not value:
        return ""
    if encoding == "base64":
        return f'it is JSON, not base64: set {setting} = "json"' if _is_object(value) else ""
    if _is_object(record.unwrapped(value)):
        return f'it is base64 of JSON: set {setting} = "base64"'
    with contextlib.suppress(ValueError, RecursionError):
        [only] = record.parsed(value)
        if isinstance(only, str) and _is_object(record.unwrapped(only.encode())):
            return (
                "it is base64 of JSON, in quotes: have the producer leave out the quotes, "
                f'and set {setting} = "base64"'
            )
    if value[0] == 0 and len(value) > 5:
        return (
            "it begins like a record of a schema registry (Avro, Protobuf or JSON Schema): "
            "have it produced as plain JSON"
        )
    return ""


def newest(connection: Connection, topic: str, partitions: int) -> list[Message]:
    """Return the last records of each partition, oldest first."""
    wanted = {topic: partitions}
    start = kafka.earliest(connection, wanted)
    end = kafka.ends_of_records(connection, start, kafka.latest(connection, wanted))
    each = max(_RECORDS // partitions, 1)
    places = {
        int(p): (max(start[topic][p], last - each), last)
        for p, last in end[topic].items()
        if last > start[topic][p]
    }
    chosen = dict(sorted(places.items())[:_RECORDS])
    return sorted(_read(connection, topic, chosen), key=lambda m: m.timestamp()[1])


def _read(
    connection: Connection, topic: str, places: Mapping[int, tuple[int, int]]
) -> list[Message]:
    todo = {p: end for p, (_, end) in places.items()}
    found: list[Message] = []
    deadline = time.monotonic() + _PATIENCE
    consumer = kafka.reader(connection)
    try:
        consumer.assign([TopicPartition(topic, p, begin) for p, (begin, _) in places.items()])
        while todo:
            message = consumer.poll(0.2)
            if message is None:
                if time.monotonic() > deadline:
                    raise Problem(
                        f"{topic} has records and none came in {_PATIENCE:.0f} s",
                        "see whether the brokers that hold its partitions can be reached from here",
                    )
                continue
            error, partition = message.error(), message.partition() or 0
            if error is not None:
                raise Problem(
                    f"{topic} cannot be read: {error.str()}", f"allow READ on topic {topic}"
                )
            if (message.offset() or 0) < todo.get(partition, 0):
                found.append(message)
            if (message.offset() or 0) >= todo.get(partition, 0) - 1:
                todo.pop(partition, None)
    finally:
        consumer.close()
    return found


def _is_object(value: bytes | None) -> bool:
    with contextlib.suppress(ValueError, RecursionError):
        return [type(v) for v in record.parsed(value or b"")] == [dict]
    return False


def _source(settings: Settings, kind: str) -> Source:
    return {
        "users": sources.USERS,
        "accounts": sources.ACCOUNTS,
        "positions": sources.positions(settings.positions.key_columns),
    }[kind]

"""One record by its partition and offset, from a real broker: there, removed, or never one."""

from __future__ import annotations

import re

import pytest
from confluent_kafka import TopicPartition

from tests.support.stack import Stack, eventually
from tidegrid import kafka
from tidegrid.infer.look import Look
from tidegrid.infer.one_record import one_record

TOPIC = "one.record"


@pytest.fixture(scope="module")
def filled(stack: Stack) -> Stack:
    """Fill a topic: record 0, record 1 and its marker, record 3, record 4 and its marker."""
    kafka.ensure_topics(stack.connection, {TOPIC: 1}, {})
    plain = kafka.producer(stack.connection)
    paid = kafka.producer(stack.connection, **{"transactional.id": TOPIC})
    paid.init_transactions(20)
    headers: list[tuple[str, str | bytes | None]] = [
        *(("trace", b"<i>1</i>"), ("trace", b"2"), ("none", None))
    ]
    for round_, more in enumerate((headers, [])):
        plain.produce(TOPIC, key="plain", value=f'{{"n": {round_}}}', headers=more)
        assert plain.flush(10) == 0
        paid.begin_transaction()
        paid.produce(TOPIC, key="paid", value=None)
        paid.commit_transaction()
        _reach(stack, 3 * (round_ + 1))
    return stack


def _reach(stack: Stack, end: int) -> None:
    """Wait until the marker of a transaction is there."""
    eventually("the marker", lambda: kafka.latest(stack.connection, {TOPIC: 1})[TOPIC]["0"] == end)


def asked(stack: Stack, offset: str, partition: str = "0", topic: str = TOPIC) -> Look:
    return one_record(stack.connection, topic, partition, offset)


def test_exactly_that_record_is_read(filled: Stack) -> None:
    look = asked(filled, "0")
    assert (look.problem, look.inferred) == ("", None)
    [record] = look.records
    assert (record["partition"], record["offset"]) == (0, 0)
    assert (record["key"], record["value"], record["bytes"]) == ("plain", '{"n": 0}', 8)
    assert record["headers"] == [("trace", "<i>1</i>"), ("trace", "2"), ("none", None)]
    assert record["at"] > 0
    [tombstone] = asked(filled, "1").records
    assert (tombstone["key"], tombstone["value"]) == ("paid", None)


def test_a_later_record_is_never_shown_for_one_that_is_not_there(filled: Stack) -> None:
    for offset, said in (
        ("2", "is gone: Kafka has removed it, .*; the next record is at offset 3"),
        ("5", "is gone: Kafka has removed it, .*; no record follows"),
        ("6", "is not there yet: the partition ends before offset 6"),
        (str(2**63 - 1), "is not there yet"),
    ):
        look = asked(filled, offset)
        assert look.records == ()
        assert re.match(f"offset {offset} of partition 0 of {TOPIC} {said}", look.problem)


def test_what_cannot_be_a_place_is_refused(filled: Stack) -> None:
    for look in (
        *(asked(filled, "-1"), asked(filled, ""), asked(filled, "0", "x"), asked(filled, "0", "1")),
        *(asked(filled, "0", topic=t) for t in ("tidegrid.control", "__consumer_offsets")),
        *(asked(filled, "0", topic=t) for t in ("no.such", "not legal", "")),
    ):
        assert look.problem != ""
        assert look.records == ()


def test_a_record_past_its_retention_is_gone(filled: Stack) -> None:
    topic = f"{TOPIC}.short"
    kafka.ensure_topics(filled.connection, {topic: 1}, {})
    for value in (b"1", b"2"):
        filled.produce(topic, value, key="k")
    filled.flush()
    done = kafka.admin(filled.connection).delete_records([TopicPartition(topic, 0, 1)])
    for future in done.values():
        future.result(20)
    assert asked(filled, "0", topic=topic).problem == (
        f"offset 0 of partition 0 of {topic} is gone: Kafka has removed it; "
        "the partition now begins at offset 1"
    )
    assert asked(filled, "1", topic=topic).records[0]["value"] == "2"

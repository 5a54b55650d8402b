"""Topics: those that are read, those that are our own, and the right to make more of them."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from confluent_kafka import KafkaError as Librdkafka
from confluent_kafka import KafkaException, TopicCollection
from confluent_kafka.admin import AclOperation, NewTopic, TopicDescription

from tidegrid import kafka
from tidegrid.contract import control, topics
from tidegrid.doctor.findings import Answer, Problem
from tidegrid.doctor.flows import Declared, Place
from tidegrid.kafka.connection import Connection

_TIMEOUT = 10.0
_NOT_ALLOWED = {
    Librdkafka.TOPIC_AUTHORIZATION_FAILED,
    Librdkafka.CLUSTER_AUTHORIZATION_FAILED,
    Librdkafka.GROUP_AUTHORIZATION_FAILED,
}
_ALL_RIGHTS = (
    "allow CREATE, WRITE, READ, DELETE and DESCRIBE on topics that begin with " + topics.PREFIX
)


def source(connection: Connection, topic: str, place: Place) -> Answer[int]:
    """Look at a topic that is read, and return how many partitions it has."""
    found = _described(connection, topic)
    if found is None:
        others = _similar(topic, kafka.names(connection))
        raise Problem(
            f"there is no topic {topic}" + (f"; there is {', '.join(others)}" if others else ""),
            f"make it and produce to it, or correct {place}",
        )
    count, allowed = len(found.partitions), _operations(found)
    if allowed is not None and AclOperation.READ not in allowed:
        raise Problem(f"{_who(connection)} may not read {topic}", f"allow READ on topic {topic}")
    records = sum(kafka.latest(connection, {topic: count})[topic].values()) - sum(
        kafka.earliest(connection, {topic: count})[topic].values()
    )
    writable = allowed is None or AclOperation.WRITE in allowed
    detail = f"{_count(count, 'partition')}, {_count(records, 'offset')}, may be read"
    return Answer(f"{detail}{' and written' if writable else ', not written'}", count)


def own(connection: Connection, topic: str) -> Answer[None]:
    """Look at a topic of our own, or at the right to make it."""
    found = _described(connection, topic)
    if found is None:
        _may_make(connection, {topic: topics.OWN[topic]})
        return Answer("not there yet; the pipeline may make it", None)
    _require(connection, found, {AclOperation.READ, AclOperation.WRITE})
    return Answer("may be read and written", None)


def changelogs(connection: Connection, flows: Sequence[Declared]) -> Answer[None]:
    """Look at the right to make, write, read and remove the topics of a generation."""
    # No generation has this number.
    wanted = {
        topics.changelog(declared.flow.name, 0, c.name): (
            topics.EVENTS_CONFIG if c.events else topics.CHANGELOG_CONFIG
        )
        for declared in flows
        for c in declared.changelogs
    }
    _may_make(connection, wanted)
    prefixes = tuple(f"{topics.PREFIX}{declared.flow.name}." for declared in flows)
    there = [name for name in kafka.names(connection) if name.startswith(prefixes)]
    known = _described(connection, there[0]) if there else None
    if known is None:
        return Answer(
            f"{topics.PREFIX}* may be made; whether they may be written and removed shows when "
            "there are some",
            None,
        )
    _require(connection, known, {AclOperation.READ, AclOperation.WRITE, AclOperation.DELETE})
    return Answer(f"{topics.PREFIX}* may be made, written, read and removed", None)


def groups(connection: Connection, *, pair: bool) -> Answer[None]:
    """Look at the right to be the process that leads, of the pipelines and of the tables."""
    of_pair = control.GROUPS_OF_PAIR.values() if pair else ()
    names = [control.GROUP, control.GROUP_OF_TABLES, *of_pair]
    for name in names:
        # One at a time: several may have brokers of their own.
        asked = kafka.admin(connection).describe_consumer_groups(
            [name], include_authorized_operations=True, request_timeout=_TIMEOUT
        )
        try:
            allowed = _operations(_result(asked[name]))
        except KafkaException as e:
            if e.args[0].code() not in _NOT_ALLOWED:
                raise Problem(f"{name}: {e.args[0].str()}", "see the broker's log") from e
            allowed = set()
        if allowed is not None and AclOperation.READ not in allowed:
            raise Problem(
                f"{_who(connection)} may not use the consumer group {name}",
                f"allow READ on group {name}",
            )
    return Answer(f"{', '.join(names)} may be used", None)


def _described(connection: Connection, topic: str) -> TopicDescription | None:
    """Return what the broker says of a topic; None if it says that there is none."""
    asked = kafka.admin(connection).describe_topics(
        TopicCollection([topic]), include_authorized_operations=True, request_timeout=_TIMEOUT
    )
    try:
        found = _result(asked[topic])
    except KafkaException as e:
        error = e.args[0]
        if error.code() == Librdkafka.UNKNOWN_TOPIC_OR_PART:
            return None
        if error.code() in _NOT_ALLOWED:
            ours = topic.startswith(topics.PREFIX)
            raise Problem(
                f"the broker does not let us see {topic}",
                _ALL_RIGHTS if ours else f"allow DESCRIBE and READ on topic {topic}",
            ) from e
        raise Problem(f"{topic}: {error.str()}", "see the log of the broker") from e
    assert isinstance(found, TopicDescription)
    return found


def _may_make(connection: Connection, wanted: Mapping[str, Mapping[str, str]]) -> None:
    """Ask the broker whether it would make topics, without making them."""
    new = [NewTopic(t, 1, -1, config=dict(config)) for t, config in wanted.items()]
    asked = kafka.admin(connection).create_topics(new, validate_only=True, request_timeout=_TIMEOUT)
    for topic, done in asked.items():
        try:
            _result(done)
        except KafkaException as e:
            error = e.args[0]
            if error.code() in _NOT_ALLOWED:
                raise Problem(
                    f"{_who(connection)} may not make {topic}",
                    _ALL_RIGHTS,
                ) from e
            if error.code() != Librdkafka.TOPIC_ALREADY_EXISTS:
                raise Problem(
                    f"the broker would not make {topic}: {error.str()}",
                    "change the broker's policy for topics, or tell those who run it what "
                    "Tidegrid asks for (docs/architecture.md, Changelogs)",
                ) from e


def _require(
    connection: Connection, found: TopicDescription, needed: Collection[AclOperation]
) -> None:
    allowed = _operations(found)
    lacking = sorted(op.name for op in needed if allowed is not None and op not in allowed)
    if lacking:
        raise Problem(
            f"{_who(connection)} may not {', '.join(lacking)} {found.name}",
            f"allow {', '.join(lacking)} on topics that begin with {topics.PREFIX}",
        )


def _operations(found: Any) -> set[AclOperation] | None:
    """Return what may be done; None if the broker does not say."""
    return set(found.authorized_operations) if found.authorized_operations else None


def _similar(topic: str, names: Collection[str]) -> list[str]:
    others = {n.lower(): n for n in names if not n.startswith((topics.PREFIX, "__"))}
    close = difflib.get_close_matches(topic.lower(), others, 3, 0.6)
    within = [n for n in others if topic.lower() in n and n not in close]
    return [others[n] for n in [*close, *within][:3]]


def _who(connection: Connection) -> str:
    return connection.kafka.client_id or "who does not log in"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _result(done: Future[Any]) -> Any:
    try:
        return done.result(_TIMEOUT + 5)
    except TimeoutError as e:
        raise Problem("the broker does not answer", "see the log of the broker") from e

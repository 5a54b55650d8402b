"""Tidegrid's own topics: made if they are not there, and read with what cannot be read told."""

from __future__ import annotations

from typing import TypeVar

from confluent_kafka import Message

from tidegrid import logs
from tidegrid.contract import topics
from tidegrid.contract.wire import Malformed
from tidegrid.kafka.client import ensure_topics
from tidegrid.kafka.connection import Connection

_log = logs.get("kafka")

T = TypeVar("T")


def ensure_own_topics(connection: Connection) -> None:
    """Make the topics that the pipeline and the tables share, if they are not there yet."""
    for topic, config in topics.OWN.items():
        ensure_topics(connection, {topic: 1}, config)


def readable(message: Message, found: T | Malformed) -> T | None:
    """Return what was found in a record; one that is malformed is told, and is None."""
    if not isinstance(found, Malformed):
        return found
    place = {"topic": message.topic(), "partition": message.partition(), "offset": message.offset()}
    _log.warning(
        "%s[%s] offset %s cannot be read and is skipped: %s",
        *place.values(),
        found.reason,
        extra=place,
    )
    return None

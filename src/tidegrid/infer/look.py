"""A look at a topic for somebody who has never described it: its newest records, and a flow.

`look` reads and infers, `check` says what is wrong with a flow that somebody has changed and writes
its file. Both answer whatever they are given: what goes wrong is part of the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from tidegrid import kafka
from tidegrid.contract import declaration, messages, topics
from tidegrid.contract.declaration import DeclarationError, Problem, toml
from tidegrid.contract.declaration.types import Flow
from tidegrid.errors import KafkaError
from tidegrid.infer import MOST, Inferred, infer, names, newest, write
from tidegrid.infer.seen import InferError, Record
from tidegrid.kafka.connection import Connection

#: How many records are shown, and how much of each.
SHOWN = 50
_VALUE_CHARS = 2048
_KEY_CHARS = _HEADER_CHARS = 200
_MOST_HEADERS = 20
_MOST_PROBLEMS = 50
#: The longest name of a flow that a number still fits behind.
_LONGEST_NAME = 37


@dataclass(frozen=True)
class Look:
    """What was found in a topic."""

    topic: str
    #: The newest records, newest first, as plain values.
    records: Sequence[dict[str, Any]] = ()
    inferred: Inferred | None = None
    #: Why there is no flow; empty if there is one.
    problem: str = ""


@dataclass(frozen=True)
class Checked:
    """A flow that somebody has changed."""

    #: Its file; empty if it cannot be written.
    text: str = ""
    problems: Sequence[Problem] = field(default_factory=tuple)


def look(connection: Connection, topic: str, flows: Mapping[str, Flow]) -> Look:
    """Read the newest records of a topic and make a flow of them that takes no other's place."""
    if (refused := refusal(connection, topic)) is not None:
        return refused
    try:
        found = newest(connection, topic, MOST)
    except KafkaError as e:
        return Look(topic, problem=str(e))
    return of_records(topic, found, flows)


def refusal(connection: Connection, topic: str) -> Look | None:
    """Return the answer to somebody who asks for a topic that viewers may not read."""
    if not topics.is_legal(topic):
        return Look("", problem=f"{messages.shown(topic)} is no legal topic name")
    try:
        reason = topics.not_a_source(topic, kafka.names(connection))
    except KafkaError as e:
        reason = str(e)
    return Look(topic, problem=reason) if reason else None


def of_records(topic: str, found: Sequence[Record], flows: Mapping[str, Flow]) -> Look:
    """Make a flow of records; those that no flow can be made of are shown all the same."""
    records = [shown(record) for record in reversed(found[-SHOWN:])]
    try:
        return Look(topic, records, infer(topic, found, free_name(topic, flows)))
    except InferError as e:
        return Look(topic, records, problem=str(e))


def free_name(topic: str, flows: Mapping[str, Flow]) -> str:
    """Return a name for the flow of a topic that no flow has, nor its tables."""
    name = first = names.flow(topic)
    taken = {table for flow in flows.values() for table in (*flow.views, *flow.screens)}
    number = 1
    while name in flows or taken.intersection(write.views(names.source(name))):
        number += 1
        name = f"{first[:_LONGEST_NAME]}_{number}"
    return name


def shown(record: Record) -> dict[str, Any]:
    """Return a record as plain values, its texts cut short."""
    headers = list(record.headers.items())[:_MOST_HEADERS]
    return {
        "partition": record.partition,
        "offset": record.offset,
        "at": record.timestamp,
        "key": text(record.key, _KEY_CHARS),
        "value": text(record.value, _VALUE_CHARS),
        "bytes": len(record.value or b""),
        "headers": {name[:_HEADER_CHARS]: text(held, _HEADER_CHARS) for name, held in headers},
    }


def text(value: bytes | None, most: int) -> str | None:
    """Return bytes as text, whatever they are, with no more than so many characters."""
    if value is None:
        return None
    # No character takes more than four bytes, so the rest need not be read.
    read = value[: 4 * most + 4].decode(errors="replace")
    return read if len(read) <= most else f"{read[:most]}…"


def check(
    given: str,
    declared: Mapping[str, Flow],
    running: Iterable[Flow],
    before: Inferred | None = None,
) -> Checked:
    """Check a declaration, with its `name` in it, that is to be a new flow, and write its file.

    What the flow that it was made of says of its parts stays where they are as they were.
    """
    if len(given.encode(errors="replace")) > messages.MAX_APPLY_BYTES:
        return _wrong(f"is larger than {messages.MAX_APPLY_BYTES:,} bytes")
    try:
        held = msgspec.json.decode(given)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return _wrong("is not JSON")
    if not isinstance(held, dict) or not isinstance(held.get("name"), str):
        return _wrong("is not an object with a name")
    name = held.pop("name")
    problems = tuple(_problems(name, held, declared, running))
    try:
        comments = before.comments.still_true(before.document, held) if before else None
        return Checked(toml.text(held, comments), problems[:_MOST_PROBLEMS])
    except RecursionError:
        return _wrong("is nested too deep")


def _problems(
    name: str, document: dict[str, Any], declared: Mapping[str, Flow], running: Iterable[Flow]
) -> Iterator[Problem]:
    if name in declared:
        yield Problem("", "name", f"there is a flow {name} already", "choose another name")
    try:
        flow = declaration.parse(document, name)
    except DeclarationError as e:
        yield from e.problems
    except RecursionError:
        yield Problem("", "", "is nested too deep")
    else:
        yield from declaration.clashes([*running, flow])


def _wrong(what: str) -> Checked:
    return Checked(problems=(Problem("", "", f"the declaration {what}"),))

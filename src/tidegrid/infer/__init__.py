"""Infer: a flow file of a topic that nobody has described, made of its newest records.

`infer` is a pure function of records; `newest` reads them. What is written passes the check of
declarations, whatever names and values the records have: names that cannot be said in a file are
left out, and that is told.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tidegrid.contract.declaration import names as legal
from tidegrid.contract.declaration import toml
from tidegrid.contract.declaration.sources import HEADERS, KAFKA_KEY, is_path_name
from tidegrid.contract.declaration.toml import Comments
from tidegrid.infer import envelope as envelopes
from tidegrid.infer import key as keys
from tidegrid.infer import names, seen, types, when, words, write
from tidegrid.infer.envelope import Envelope
from tidegrid.infer.key import Key
from tidegrid.infer.reader import newest
from tidegrid.infer.seen import InferError, Path, Readable, Record, Seen
from tidegrid.infer.types import Column

__all__ = ["InferError", "Inferred", "Record", "check_count", "infer", "newest"]

#: How many records are looked at.
FEWEST, MOST = 20, 1000
_MOST_FIELDS = 200
_LeftOut = list[tuple[Path, str]]


@dataclass(frozen=True)
class Inferred:
    """A flow file that was made."""

    name: str
    #: What the text parses to.
    document: dict[str, Any]
    text: str
    #: What is worth a look: how sure the key and the time are, and what is not in it.
    notes: tuple[str, ...]
    #: What the text says beside what it declares.
    comments: Comments


def check_count(count: int) -> None:
    """Fail if this is not how many records can be looked at."""
    if not FEWEST <= count <= MOST:
        raise InferError(f"--records {count}: choose a number from {FEWEST} to {MOST}")


def infer(
    topic: str, records: Iterable[Record], name: str | None = None, key: str | None = None
) -> Inferred:
    """Return a flow file of records; `key` is a column or a path, several take commas."""
    wanted = [part.strip() for part in key.split(",")] if key else []
    flow = name or names.flow(topic)
    for given, said in ((topic, legal.topic_problem(topic)), (flow, legal.flow_problem(flow))):
        if said:
            raise InferError(f"{given!r} {'; '.join(said)}")
    readable = seen.read(topic, list(records))
    envelope = envelopes.recognise(readable.objects, readable.records)
    left_out: _LeftOut = []
    columns = _columns(readable, envelope, wanted, left_out)
    chosen = _key(columns, wanted, topic, readable, envelope)
    if chosen.is_kafka_key:
        column, chosen = _kafka_key_column(columns, chosen, readable)
        columns.insert(0, column)
    columns = [_no_time(c) if c.name in chosen.fields else c for c in columns]
    if envelope.empty_deletes and chosen.kafka:
        # A tombstone has Kafka's timestamp alone: beside another clock it could win over a record
        # that was written after it.
        time = when.When("", "Kafka's timestamp (so that deletes and changes have one clock)")
    else:
        time = when.best(columns, chosen.fields, readable.records, envelope.time)
    draft = write.Draft(
        topic=topic,
        source=names.source(flow),
        columns=columns,
        key=chosen,
        when=time,
        delete=_delete(columns, envelope),
        remarks=[*_remarks(topic, readable, envelope, chosen)],
        left_out=left_out,
    )
    comments = write.comments(draft)
    text = toml.text(write.document(draft, readable.encoding), comments)
    notes = (
        *draft.remarks[1:],
        f"key {', '.join(chosen.fields)}: {toml.printable(chosen.says, 300)}",
        f"time {time.field or 'of Kafka'}: {toml.printable(time.says, 300)}",
        *(f"left out {write.left_out(path, why)}" for path, why in left_out),
    )
    return Inferred(flow, tomllib.loads(text), text, notes, comments)


def _columns(
    readable: Readable, envelope: Envelope, wanted: Sequence[str], left_out: _LeftOut
) -> list[Column]:
    found = [*_sayable(envelopes.opened(envelope, readable.objects, readable.records), left_out)]
    first = {(HEADERS, name) for name in envelope.headers} | set(envelope.around)

    def weight(place: Seen) -> int:
        """Rank what is asked for before what may be a key or a time, and that before the rest."""
        if place.path in first or ".".join(place.path) in wanted:
            return 0
        last = words.words(place.path[-1])[-1:]
        return 1 if (words.IDS | words.TIMES).intersection(last) else 2

    by_weight = sorted(found, key=weight)
    kept = {s.path for s in by_weight[:_MOST_FIELDS]}
    left_out += [(s.path, f"more than {_MOST_FIELDS} fields") for s in found if s.path not in kept]
    beside = len({name for o in readable.objects for name in o})
    columns: list[Column] = []
    taken: set[str] = set()
    for place in found:
        if place.path in kept:
            path = envelopes.column_path(place.path, envelope, beside)
            columns.append(
                Column(names.column(path, taken), place, types.guess(place, readable.records))
            )
            taken.add(columns[-1].name.lower())
    return columns


def _sayable(found: Iterable[Seen], left_out: _LeftOut) -> Iterator[Seen]:
    """Yield the places that a file can name; note the others."""
    known: dict[Path, Path] = {}
    for place in found:
        path = place.path
        lower = tuple(part.lower() for part in path)
        above = [(lower[:n], path[:n]) for n in range(1, len(path) + 1)]
        if not place.values:
            left_out.append((path, "null wherever it is, so its type is not known"))
        elif not all(map(is_path_name, path)) or any("${" in part for part in path):
            left_out.append((path, "a name that a flow file cannot hold"))
        elif path[0] in (KAFKA_KEY, HEADERS) and place.in_value:
            left_out.append((path, f"{path[0]} stands for something else in a flow file"))
        elif any(known.setdefault(low, as_is) != as_is for low, as_is in above):
            left_out.append((path, "another differs only in upper and lower case"))
        else:
            yield place


def _key(
    columns: Sequence[Column],
    wanted: Sequence[str],
    topic: str,
    readable: Readable,
    envelope: Envelope,
) -> Key:
    if wanted:
        return keys.chosen(columns, wanted, readable)
    if envelope.empty_deletes and keys.are_texts(seen.kafka_keys(readable.records)):
        return keys.kafka_key(
            "the Kafka key, sure (it is the primary key of the table, and a delete has nothing "
            "else that names its row)"
        )
    return keys.best(columns, topic, readable)


def _kafka_key_column(
    columns: Sequence[Column], key: Key, readable: Readable
) -> tuple[Column, Key]:
    name = names.column(("row", "key"), {c.name.lower() for c in columns})
    column = Column(name, seen.kafka_keys(readable.records), types.Guess("string"))
    # Beside another field it names no row: a tombstone would take whatever has it.
    kafka = () if key.fields else (name,)
    return column, replace(key, fields=(name, *key.fields), kafka=kafka)


def _no_time(column: Column) -> Column:
    is_time = column.guess.type == "time"
    return replace(column, guess=types.of_key(column.seen)) if is_time else column


def _delete(columns: Sequence[Column], envelope: Envelope) -> str:
    if envelope.delete is None:
        return ""
    path, value = envelope.delete
    name = next((c.name for c in columns if c.seen.path == path), "")
    return f"{name} = '{value}'" if name else ""


def _remarks(topic: str, readable: Readable, envelope: Envelope, key: Key) -> Iterator[str]:
    count = len(readable.objects)
    yield (
        f"Made by tidegrid infer of the newest {count} usable records of {topic}. Look at the key, "
        "the time and the types; docs/flows.md explains every word."
    )
    if envelope.says:
        yield f"The records are {envelope.says}."
    if readable.encoding == "base64":
        yield "The records are base64 of JSON."
    for why, number in readable.problems.most_common(3):
        yield f"{number} more cannot be used: {why}."
    if readable.tombstones:
        yield f"{len(readable.tombstones)} more have no value" + (
            "." if key.kafka else ": they are rejects, for the Kafka key is not that of a row."
        )
    if envelope.empty_deletes and not key.kafka:
        yield "A delete has nothing inside and so no key: it is a reject, and its row stays."

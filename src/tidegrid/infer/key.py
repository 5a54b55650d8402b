"""The key: which field tells one row from another, how sure that is, and why."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from tidegrid.contract import values
from tidegrid.contract.declaration.types import KEY_TYPES
from tidegrid.infer import words
from tidegrid.infer.rating import LIKELY, MAYBE, date, equal, rate, unique_ids
from tidegrid.infer.seen import InferError, Readable, Seen, kafka_keys
from tidegrid.infer.types import Column


@dataclass(frozen=True)
class Key:
    """The key of a source."""

    #: They may be times still, which a key cannot be: those are kept as they are written.
    fields: tuple[str, ...]
    #: How sure, and why.
    says: str
    #: The fields that the Kafka key is made of, and whether it is JSON; none if it is not.
    kafka: tuple[str, ...] = ()
    json: bool = False
    #: Whether the one field is the Kafka key itself, since nothing in the value is better.
    is_kafka_key: bool = False


def chosen(columns: Sequence[Column], wanted: Sequence[str], readable: Readable) -> Key:
    """Return the key that was asked for, by column names or paths."""
    found = []
    for name in wanted:
        known = {**{".".join(c.seen.path): c for c in columns}, **{c.name: c for c in columns}}
        if name not in known:
            close = get_close_matches(name, known, 3, 0.5) or list(known)[:8]
            raise InferError(f"--key {name}: no such field; there are {', '.join(close)}")
        if known[name].guess.type not in (*KEY_TYPES, "time"):
            raise InferError(
                f"--key {name}: a {known[name].guess.type} cannot be a key; "
                f"take one that is a text or a whole number"
            )
        found.append(known[name])
    return _with_kafka(found, readable, "as it was asked for")


def best(columns: Sequence[Column], topic: str, readable: Readable) -> Key:
    """Return the likeliest key."""
    usable = [c for c in columns if c.guess.type in KEY_TYPES and c.seen.values]
    keys = kafka_keys(readable.records)
    unique = unique_ids(usable, keys)
    #: Those of things, not of the messages about them: then the Kafka key is what these belong to.
    partitioned = [c for c in unique if not words.EVENTS.intersection(words.words(c.name))]
    in_json = _of_json_keys(usable, readable)
    if in_json and not partitioned:
        names = ", ".join(c.name for c in in_json)
        said = f"{'likely' if unique else 'sure'} (the Kafka key is JSON with {names}"
        return _with_kafka(in_json, readable, f"{said}{_but(unique)})")
    in_key = [*in_json, *(c for c in columns if equal(c.seen, keys))]
    rated = sorted(
        (rate(c, topic, c in in_key, bool(partitioned)) for c in usable),
        key=lambda r: (-r.score, columns.index(r.column)),
    )
    day = None if partitioned else date(columns, rated, keys)
    if day is not None:
        sure = "sure" if day in in_key and not unique else "likely"
        why = "it is the Kafka key" if day in in_key else "no field is plainly one"
        return _with_kafka([day], readable, f"{sure} ({why}; {day.seen.repeats}{_but(unique)})")
    if _tells_rows_apart(keys) and not partitioned and (not rated or rated[0].score < LIKELY):
        return kafka_key(f"the Kafka key, likely (no field is plainly one; {keys.repeats})")
    if not rated:
        if are_texts(keys):
            return kafka_key("the Kafka key, a guess (no field can be one)")
        raise InferError(
            f"topic {topic}: no field of its records is a text or a whole number, and not all "
            "have a Kafka key that is a text, so nothing tells one row from another; produce them "
            "with a key"
        )
    first = rated[0]
    is_key = first.column in in_key
    sure = "likely" if first.score >= LIKELY else "a guess"
    but = _but(unique) if is_key else ""
    if is_key and not unique:
        sure = "sure"
    elif partitioned and not is_key:
        but = f"; the Kafka key is not: {keys.repeats}, so it only partitions them"
    said = f"{sure} ({first.why}{but})"
    others = [r for r in rated[1:3] if r.score >= MAYBE]
    if others:
        also = ", ".join(f"{r.column.name} ({r.why})" for r in others)
        said += f". Or {also}"
    return _with_kafka([first.column], readable, said)


def kafka_key(says: str) -> Key:
    """Return a key that is the Kafka key itself, as text."""
    return Key((), says, is_kafka_key=True)


def _but(unique: Sequence[Column]) -> str:
    return "".join(f"; {c.name} is {c.seen.repeats}" for c in unique[:2])


def _tells_rows_apart(keys: Seen) -> bool:
    return are_texts(keys) and 1 < keys.different < len(keys.values)


def are_texts(keys: Seen) -> bool:
    """Whether all records have a Kafka key that is a text: others may be alike when shown."""
    return keys.share == 1 and all(
        k.strip() and k.isprintable() and "\ufffd" not in k for k in keys.values.values()
    )


def _with_kafka(found: Sequence[Column], readable: Readable, says: str) -> Key:
    fields = tuple(c.name for c in found)
    if len(found) == 1 and equal(found[0].seen, kafka_keys(readable.records)):
        return Key(fields, says, kafka=fields)
    if _of_json_keys(found, readable) == list(found):
        return Key(fields, says, kafka=fields, json=True)
    return Key(fields, says)


def _of_json_keys(columns: Sequence[Column], readable: Readable) -> list[Column]:
    """Return the fields that make up the Kafka keys, if those are JSON objects of just them."""
    objects: list[Mapping[str, Any]] = []
    for record in readable.records:
        with contextlib.suppress(ValueError, RecursionError):
            [held] = values.parsed(record.key or b"")
            if isinstance(held, dict) and held:
                objects.append(held)
    if len(objects) < len(readable.records):
        return []
    found = []
    for name in dict.fromkeys(n for held in objects for n in held):
        same = [
            c
            for c in columns
            # The name in the key is the one in the record.
            if c.seen.path[-1] == name
            and all(c.seen.values.get(i) == h.get(name) for i, h in enumerate(objects))
        ]
        if not same:
            return []
        found += same[:1]
    return found

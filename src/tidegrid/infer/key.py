"""The key: which field tells one row from another, how sure that is, and why."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from tidegrid.contract import values
from tidegrid.contract.declaration.types import KEY_TYPES
from tidegrid.infer import composite, words
from tidegrid.infer.rating import LIKELY, MAYBE, Rated, date, equal, rate, unique_ids
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
    #: Whether the Kafka key itself is a field of it, the first, which the others stand beside.
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
    written = kafka_keys(readable.records)
    keys = _without_quotes(written)
    unique = unique_ids(usable, keys)
    #: Those of things, not of the messages about them: then the Kafka key is what these belong to.
    partitioned = [c for c in unique if not words.EVENTS.intersection(words.words(c.name))]
    in_json = _of_json_keys(usable, readable)
    if in_json and not partitioned:
        return _of_json(in_json, usable, unique, readable)
    in_key = [*in_json, *(c for c in columns if equal(c.seen, keys))]
    rated = sorted(
        (rate(c, topic, c in in_key, bool(partitioned)) for c in usable),
        key=lambda r: (-r.score, columns.index(r.column)),
    )
    day = None if partitioned else date(columns, rated, keys)
    if day is not None:
        sure = "sure" if day in in_key and not unique else "likely"
        why = "it is the Kafka key" if day in in_key else "no field is plainly one"
        return _with_kafka([day], readable, f"{sure} ({why}; {day.seen.repeats}{_but(unique, ())})")
    if _tells_rows_apart(written) and not partitioned and (not rated or rated[0].score < LIKELY):
        part = composite.second([written], usable)
        if part is not None:
            return kafka_key(_half("the Kafka key", written, part), part.name)
        return kafka_key(f"the Kafka key, likely (no field is plainly one; {keys.repeats})")
    if not rated:
        if are_texts(written):
            return kafka_key("the Kafka key, a guess (no field can be one)")
        raise InferError(
            f"topic {topic}: no field of its records is a text or a whole number, and not all "
            "have a Kafka key that is a text, so nothing tells one row from another; produce them "
            "with a key"
        )
    first = rated[0]
    is_key = first.column in in_key
    both = _of_two(rated, in_key, readable)
    if both is not None:
        return both
    in_quotes = is_key and written != keys
    if in_quotes and readable.tombstones:
        return kafka_key(
            f"the Kafka key, sure (it is {first.column.name} in the quotes of JSON, and nothing "
            "else names the row of a record without a value)"
        )
    sure = "likely" if first.score >= LIKELY else "a guess"
    but = _but(unique if is_key else (), composite.differing([first.column.seen], usable))
    if is_key and not but:
        sure = "sure"
    elif partitioned and not is_key:
        but += f"; the Kafka key is not: {keys.repeats}, so it only partitions them"
    if in_quotes:
        but += "; it is in the quotes of JSON there, so no field is as the Kafka key is"
    said = f"{sure} ({first.why}{but})"
    others = [r for r in rated[1:3] if r.score >= MAYBE]
    if others:
        also = ", ".join(f"{r.column.name} ({r.why})" for r in others)
        said += f". Or {also}"
    return _with_kafka([first.column], readable, said)


def _of_json(
    found: Sequence[Column], usable: Sequence[Column], unique: Sequence[Column], readable: Readable
) -> Key:
    """Return the key that the Kafka key names by JSON with these fields."""
    names = ", ".join(c.name for c in found)
    seen = [c.seen for c in found]
    part = composite.second(seen, usable)
    if part is not None:
        name = f"the Kafka key is JSON with {names} and"
        return _with_kafka(
            [*found, part], readable, _half(name, kafka_keys(readable.records), part)
        )
    but = _but(unique, composite.differing(seen, usable))
    said = f"{'likely' if but else 'sure'} (the Kafka key is JSON with {names}{but})"
    return _with_kafka(found, readable, said)


def _of_two(rated: Sequence[Rated], in_key: Sequence[Column], readable: Readable) -> Key | None:
    """Return the key that the likeliest column is half of; None if it is whole."""
    first, keys = rated[0].column, kafka_keys(readable.records)
    halves = composite.halves(first, [r.column for r in rated])
    if halves is not None:
        name = halves[0].name + (" is the Kafka key and" if halves[0] in in_key else "")
        return _with_kafka(halves, readable, _half(name, halves[0].seen, halves[1]))
    # The order of a line may be in the Kafka key alone.
    if composite.is_of_lines(first) and are_texts(keys) and composite.second([keys], [first]):
        return kafka_key(_half("the Kafka key", keys, first), first.name)
    return None


def kafka_key(says: str, *beside: str) -> Key:
    """Return a key that is the Kafka key itself, as text, and what there is beside it."""
    return Key(beside, says, is_kafka_key=True)


def _half(name: str, half: Seen, part: Column) -> str:
    """Return why a key is not one half alone."""
    return f"likely ({name} does not tell rows apart: {half.repeats}; with {part.name} it does)"


def _but(unique: Sequence[Column], differing: Sequence[Column]) -> str:
    more = [c for c in differing if c not in unique]
    return "".join(
        (
            *(f"; {c.name} is {c.seen.repeats}" for c in unique[:2]),
            *(f"; {c.name} changes within it" for c in more[:2]),
        )
    )


def _without_quotes(keys: Seen) -> Seen:
    """Return Kafka keys that are all JSON texts as what they say; others as they are."""
    plain: dict[int, str] = {}
    for i, key in keys.values.items():
        with contextlib.suppress(ValueError, RecursionError):
            [held] = values.parsed(key.encode())
            if isinstance(held, str):
                plain[i] = held
    return replace(keys, values=plain) if len(plain) == len(keys.values) else keys


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

"""What was seen: the records that can be read, and what each place in them held."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

from tidegrid.contract import records, values
from tidegrid.contract.declaration.sources import HEADERS, KAFKA_KEY
from tidegrid.contract.declaration.types import Encoding, Source
from tidegrid.errors import TidegridError

#: Objects deeper than this, or with more names than this, are shown as JSON.
_DEEPEST = 6
_MOST_NAMES = 100
#: An object with so many names, of which a record has a few only, is a map: its names are data.
_MAP_NAMES, _MAP_SHARE = 12, 0.2
_MOST_BYTES = 2**24

Path = tuple[str, ...]


class InferError(TidegridError):
    """No flow can be made of what is in a topic."""

    exit_code = 10


class Record(NamedTuple):
    """A record of a topic."""

    key: bytes | None
    value: bytes | None
    #: When it was written, in epoch milliseconds.
    timestamp: int
    headers: Mapping[str, bytes]
    #: Where it is, if that is known.
    partition: int = -1
    offset: int = -1


@dataclass(frozen=True)
class Readable:
    """The records that are JSON objects, and how many were not."""

    encoding: Encoding
    records: list[Record]
    objects: list[dict[str, Any]]
    #: The keys of records without a value.
    tombstones: list[bytes | None]
    #: Why records cannot be read, with how many.
    problems: Counter[str]


@dataclass(frozen=True)
class Seen:
    """What a place in the records held: values by the number of their record, no nulls."""

    path: Path
    values: dict[int, Any]
    #: How many records could have it.
    of: int
    #: Whether it is in the value of a record, not in its key or headers.
    in_value: bool = True

    @functools.cached_property
    def kinds(self) -> Counter[str]:
        """What its values are, each kind with how many."""
        return Counter(kind(v) for v in self.values.values())

    @property
    def share(self) -> float:
        """How many of the records have it, from 0 to 1."""
        return len(self.values) / self.of if self.of else 0.0

    @property
    def texts(self) -> dict[int, str]:
        """The values as text, trimmed, as a key is."""
        return {i: str(v).strip(" ") for i, v in self.values.items()}

    @property
    def different(self) -> int:
        """How many different ones there are."""
        return len(set(self.texts.values()))

    @property
    def repeats(self) -> str:
        """How often they repeat, in words."""
        count = len(self.values)
        if self.different == count:
            return f"different in each of {count} records"
        return f"{self.different} different in {count} records"


def read(topic: str, found: Sequence[Record]) -> Readable:
    """Read the records, as JSON or as base64 of it: whichever more of them are."""
    if not found:
        raise InferError(f"topic {topic} has no records: produce some, and try again")
    plain = _read(found, "json")
    coded = _read(found, "base64") if len(plain.objects) * 2 < len(found) else plain
    best = max(plain, coded, key=lambda r: len(r.objects))
    if not best.objects:
        seen = Counter(plain.problems)
        if best.tombstones:
            seen["no value: a tombstone"] = len(best.tombstones)
        said = "; ".join(f"{n} of {len(found)} {why}" for why, n in seen.most_common(3))
        start = next((r.value for r in found if r.value), b"")
        if start[:1] == b"\0" and len(start) > 5:
            said += "; they begin like records of a schema registry (Avro, Protobuf): "
        else:
            said += "; "
        raise InferError(
            f"topic {topic} has no record that is a JSON object: {said}have them produced as plain "
            "JSON, or as base64 of it"
        )
    return best


def _read(found: Sequence[Record], encoding: Encoding) -> Readable:
    bare = Source("", "", (), {}, encoding=encoding)
    kept: list[Record] = []
    objects: list[dict[str, Any]] = []
    problems: Counter[str] = Counter()
    for record in found:
        if record.value is None:
            continue
        wrong = records.look(record.value, bare, _MOST_BYTES, 0).problems
        if wrong:
            problems[wrong[0]] += 1
            continue
        plain = values.unwrapped(record.value) if encoding == "base64" else record.value
        objects += values.parsed(plain or b"")
        kept.append(record)
    tombstones = [r.key for r in found if r.value is None]
    return Readable(encoding, kept, objects, tombstones, problems)


def places(objects: Mapping[int, dict[str, Any]], of: int, above: Path = ()) -> Iterator[Seen]:
    """Yield every place of records that is no object itself, in the order they were met."""
    names = dict.fromkeys(name for found in objects.values() for name in found)
    for name in names:
        path = (*above, name)
        held = {i: o[name] for i, o in objects.items() if o.get(name) is not None}
        if held and _opens(list(held.values()), len(path)):
            yield from places(held, of, path)
        else:
            yield Seen(path, held, of)


def kafka_keys(found: Sequence[Record]) -> Seen:
    """Return what the Kafka keys are, as text."""
    keys = {i: r.key.decode(errors="replace") for i, r in enumerate(found) if r.key}
    return Seen((KAFKA_KEY,), dict(keys), len(found), in_value=False)


def header(found: Sequence[Record], name: str) -> Seen:
    """Return what a header of the records is, as text."""
    held = {
        i: r.headers[name].decode(errors="replace")
        for i, r in enumerate(found)
        if r.headers.get(name)
    }
    return Seen((HEADERS, name), dict(held), len(found), in_value=False)


def kind(value: object) -> str:
    """Return what a value is: text, whole, number, huge, boolean, object or array."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "whole" if value in values.LONG else "huge"
    if isinstance(value, Decimal):
        return "number" if abs(float(value)) != float("inf") else "huge"
    if isinstance(value, str):
        return "text"
    return "object" if isinstance(value, dict) else "array"


def _opens(values: Sequence[Any], depth: int) -> bool:
    """Whether all are objects whose names are the same few: then each name is a place."""
    if depth >= _DEEPEST or not all(isinstance(v, dict) for v in values):
        return False
    names = {name for v in values for name in v}
    usual = sum(len(v) for v in values) / len(values)
    is_map = len(names) > _MAP_NAMES and usual < len(names) * _MAP_SHARE
    return 0 < len(names) <= _MOST_NAMES and not is_map

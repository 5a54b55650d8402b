"""Records of a declared source, in plain Python: what is wrong with one, if anything is.

The pipeline does this in SQL, for every record; here it is done for a few. The tests hold the first
problem found here against the reason that Spark gives, record by record. Conditions and derived
columns are Spark SQL, and not looked at here.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from tidegrid.contract.declaration.types import Field, KafkaKey, Source
from tidegrid.contract.values import (
    LONG,
    WHOLE,
    is_number,
    kind_of,
    number_in,
    parsed,
    unwrapped,
    value_at,
)

#: Epoch numbers below the first bound are seconds, below the second milliseconds, then micros; what
#: is larger is nanoseconds. Each with the nanoseconds it stands for.
TIME_UNITS = ((10**11, 10**9), (10**14, 10**6), (10**17, 10**3))
#: What each type of field must be, in the words of a reason.
WANTED = {
    "string": "a text",
    "scalar": "a text or a number",
    "time": "a text or a number",
    "long": "a whole number",
    "double": "a number",
    "boolean": "a boolean",
}
#: How much is shown of a value that is none of those it may be.
SHOWN_CHARS = 20

_NANOS_PER_MILLI = 10**6
#: A number that is not too long to be written out.
_SHORT = re.compile(r"[-+]?[0-9.]{1,40}([eE][-+]?[0-9]{1,2})?$")
#: What Spark takes for a time too; Python reads more.
_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d(:\d\d){0,2}(\.\d+)?\s*(Z|[-+]\d\d(:?\d\d){0,2})?)?$")
_BOOLEANS = {
    **dict.fromkeys(("t", "true", "y", "yes", "1"), True),
    **dict.fromkeys(("f", "false", "n", "no", "0"), False),
}
#: Whole digits of a number with a fraction that a time may have.
_LARGEST_TIME = 10**19
_SPANS = ((86_400, "a", "day"), (3600, "an", "hour"), (60, "a", "minute"), (1, "a", "second"))


class Difference(NamedTuple):
    """A field of the key that the Kafka key does not say as the record does."""

    field: str
    in_record: str
    #: All of the Kafka key; empty if there is none.
    kafka_key: str


@dataclass(frozen=True)
class Look:
    """What was seen in a record."""

    #: Why it cannot be used, the weightiest first; none if it can.
    problems: tuple[str, ...]
    #: The names of the fields that it has.
    fields: frozenset[str] = frozenset()
    #: Where its Kafka key is not what the source says: then a tombstone takes another row away, or
    #: none. The record itself can be used.
    differences: tuple[Difference, ...] = ()


def look(
    value: bytes | None,
    source: Source,
    most_bytes: int,
    seen: int,
    key: bytes | None = None,
    headers: Mapping[str, bytes] | None = None,
) -> Look:
    """Look at a record; `seen` is when it came, in epoch milliseconds."""
    if value is None:
        return _tombstone(key, source)
    if not value:
        return Look(("empty value",))
    if len(value) > most_bytes:
        return Look((f"value too large: {len(value)} bytes, at most {most_bytes}",))
    plain = unwrapped(value) if source.encoding == "base64" else value
    if plain is None:
        return Look((f"not {source.encoding}",))
    try:
        values = parsed(plain)
    except UnicodeDecodeError:
        return Look(("not valid UTF-8",))
    except (ValueError, RecursionError):
        return Look(("not JSON",))
    if len(values) > 1:
        return Look(("not JSON: more than one value",))
    if not values or not isinstance(values[0], dict):
        return Look((f"not a JSON object but {kind_of(*values[:1])}",))
    around = {"$key": _text(key), "$headers": {n: _text(v) for n, v in (headers or {}).items()}}
    record = {**values[0], **around}
    given = {f.name: value_at(record, f.path) for f in source.fields.values()}
    found = {name: _ready(source.fields[name], value, source) for name, value in given.items()}
    problems = [*_types(record, source), *_values(found, source)]
    problems = problems or [*_rules(record, found, source, seen)]
    return Look(
        tuple(problems),
        frozenset(n for n, v in given.items() if v is not None),
        () if problems else tuple(_differences(key, found, source)),
    )


def place(field: Field) -> str:
    """Return where a field is in the record, as reasons name it."""
    return ".".join(field.path)


def ahead_text(seconds: int) -> str:
    """Return how long that is, as in `more than a day in the future`."""
    size, article, unit = next(span for span in _SPANS if seconds % span[0] == 0)
    count = seconds // size
    return f"{article} {unit}" if count == 1 else f"{count} {unit}s"


def nanos(text: str) -> int | None:
    """Return the epoch nanoseconds of a time; None if it is none. Without a zone it is UTC."""
    try:
        number = int(text) if WHOLE.match(text) else Decimal(text)
    except (InvalidOperation, ValueError):
        return _iso(text)
    if isinstance(number, Decimal) and (
        not number.is_finite() or number.copy_abs() >= _LARGEST_TIME or not _SHORT.match(text)
    ):
        return None
    factor = next((f for bound, f in TIME_UNITS if 1 - bound <= number <= bound - 1), 1)
    found = int(number * factor)
    return found if found in LONG else None


def _tombstone(key: bytes | None, source: Source) -> Look:
    if source.kafka_key is None:
        return Look(("no value: a tombstone",))
    found = _of_kafka_key(key, source.kafka_key, source)
    return Look(tuple(_blank_keys(found, source)), frozenset(source.kafka_key.fields))


def _of_kafka_key(key: bytes | None, kafka_key: KafkaKey, source: Source) -> dict[str, Any]:
    """Return what a Kafka key says of its fields, as the key of a row has them."""
    fields = [source.fields[name] for name in kafka_key.fields]
    found: dict[str, Any] = {}
    if not kafka_key.json:
        found[fields[0].name] = _text(key)
    else:
        with contextlib.suppress(ValueError, RecursionError):
            for held in parsed(key or b"")[:1]:
                found = {f.name: value_at(held, f.path[-1:]) for f in fields}
    return {name: _of_key(source.fields[name], value) for name, value in found.items()}


def _of_key(field: Field, value: Any) -> Any:
    """Return a value as the key of a row has it, be it of a record or of a Kafka key."""
    if value is None:
        return None
    if not field.is_text:
        return number_in(str(value))
    text = str(value).strip(" ")
    return text.upper() if field.upper else text


def _differences(
    key: bytes | None, found: Mapping[str, Any], source: Source
) -> Iterator[Difference]:
    if source.kafka_key is None:
        return
    of_key = _of_kafka_key(key, source.kafka_key, source)
    for name in source.key:
        field = source.fields[name]
        in_record = _of_key(field, found[name])
        if of_key.get(name) != in_record:
            yield Difference(place(field), str(in_record), _text(key) or "")


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode(errors="replace")


def _ready(field: Field, value: Any, source: Source) -> Any:
    """Return a value as rows have it: trimmed, in its type, with its default."""
    if isinstance(value, str):
        value = value.upper() if field.upper else value
        if field.trim:
            value = value.strip(" ") or None
        elif field.name in source.key and field.is_text:
            value = value.strip(" ")
        elif field.lenient:
            value = _leniently(value.strip(" "), field)
    return field.default if value is None else value


def _leniently(text: str, field: Field) -> Any:
    """Return what a text holds that is to be no text; None if it holds something else."""
    if field.type == "boolean":
        return _BOOLEANS.get(text.lower())
    if field.type == "double" and text.lower().lstrip("+-") in ("nan", "inf", "infinity"):
        return Decimal(text)
    number = number_in(text)
    return number if number is not None and _fits(number, field) else None


def _types(record: Mapping[str, Any], source: Source) -> Iterator[str]:
    """Yield what is of another type than it should be, in the order in which Spark looks."""
    fields = [f for f in source.fields.values() if f.type != "json"]
    paths = [f.path for f in source.fields.values()]
    above = dict.fromkeys(path[:n] for path in paths for n in range(1, len(path)))
    for path in above:
        value = value_at(record, path)
        if value is not None and not isinstance(value, dict):
            yield f"{'.'.join(path)}: expected an object, got {kind_of(value)}"
    for field in fields:
        value = value_at(record, field.path)
        if value is not None and not (
            _fits(value, field) or (field.lenient and type(value) is str)
        ):
            yield f"{place(field)}: expected {WANTED[field.type]}, got {kind_of(value)}"


def _values(found: Mapping[str, Any], source: Source) -> Iterator[str]:
    yield from _blank_keys(found, source)
    for field in source.fields.values():
        value = found[field.name]
        if field.type == "double" and is_number(value) and not math.isfinite(float(str(value))):
            yield f"{place(field)}: not a finite number"


def _blank_keys(found: Mapping[str, Any], source: Source) -> Iterator[str]:
    for name in source.key:
        value = found.get(name)
        if value is None or (isinstance(value, str) and not value.strip(" ")):
            yield f"{place(source.fields[name])}: missing or empty"


def _rules(
    record: Mapping[str, Any], found: Mapping[str, Any], source: Source, seen: int
) -> Iterator[str]:
    for field in source.fields.values():
        value = found[field.name]
        if field.lenient and value is None and value_at(record, field.path) is not None:
            yield f"{place(field)}: expected {WANTED[field.type]}, got a text"
        if field.one_of and value is not None and value not in field.one_of:
            yield f"{place(field)}: expected {one_of_text(field)}, got {str(value)[:SHOWN_CHARS]}"
    times = {
        f.name: nanos(str(found[f.name]))
        for f in source.fields.values()
        if f.type == "time" and found[f.name] is not None
    }
    for name, at in times.items():
        if at is None:
            yield f"{place(source.fields[name])}: not a time"
    latest = (seen + 1000 * source.max_ahead) * _NANOS_PER_MILLI
    late = f"more than {ahead_text(source.max_ahead)} in the future"
    for name in source.time if source.max_ahead else ():
        if (times.get(name) or 0) > latest:
            yield f"{place(source.fields[name])}: {late}"


def one_of_text(field: Field) -> str:
    """Return all that a field may be, as in `expected I, U or D`."""
    *most, last = field.one_of
    return f"{', '.join(most)} or {last}" if most else last


def _iso(text: str) -> int | None:
    if not _DATE.match(text):
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    micros = (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    fraction = re.search(r"\.\d{6}(\d{1,3})", text)
    found = micros * 1000 + (int(fraction[1].ljust(3, "0")) if fraction else 0)
    return found if found in LONG else None


def _fits(value: object, field: Field) -> bool:
    return {
        "string": isinstance(value, str),
        "scalar": isinstance(value, str) or is_number(value),
        "time": isinstance(value, str) or is_number(value),
        "long": isinstance(value, int) and not isinstance(value, bool) and value in LONG,
        "double": is_number(value),
        "boolean": isinstance(value, bool),
        "json": True,
    }[field.type]

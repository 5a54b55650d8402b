"""A record of a source, looked at as the pipeline will: what is wrong with it, if anything is.

The pipeline does this in SQL, for every record; here it is plain Python, for a few. The tests hold
the first problem found here against the reason that Spark gives, record by record.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any, NoReturn

from tidegrid.contract.sources import MOST_AHEAD, TIME_UNITS, FieldType, Source
from tidegrid.doctor.findings import shown

_LONG = range(-(2**63), 2**63)
_NANOS_PER_MILLI = 10**6
_WANTED = {
    "string": "a text",
    "scalar": "a text or a number",
    "long": "a whole number",
    "double": "a number",
}
_DATE = re.compile(r"\d{4}-\d")
_WHOLE = re.compile(r"[+-]?\d+\Z")
#: Whole digits of a number with a fraction that a time may have.
_LARGEST_TIME = 10**19


@dataclass(frozen=True)
class Look:
    """What was seen in a record."""

    #: Why it cannot be used, the weightiest first; none if it can.
    problems: tuple[str, ...]
    #: The fields of the source that it has.
    fields: frozenset[str] = frozenset()


def look(value: bytes | None, source: Source, encoding: str, most_bytes: int, seen: int) -> Look:
    """Look at a record; `seen` is when it came, in epoch milliseconds."""
    if value is None:
        return Look(("no value: a tombstone",))
    if not value:
        return Look(("empty value",))
    if len(value) > most_bytes:
        return Look((f"value too large: {len(value)} bytes, at most {most_bytes}",))
    plain = unwrapped(value) if encoding == "base64" else value
    if plain is None:
        return Look((f"not {encoding}",))
    try:
        values = parsed(plain)
    except UnicodeDecodeError:
        return Look(("not valid UTF-8",))
    except (ValueError, RecursionError):
        return Look(("not JSON",))
    if len(values) > 1:
        return Look(("not JSON: more than one value",))
    if not values or not isinstance(values[0], dict):
        return Look((f"not a JSON object but {_kind(*values[:1])}",))
    record = values[0]
    problems = [*_of_fields(record, source)]
    if not problems and "event_ts" in source.fields:
        problems += _of_position(record, seen)
    there = frozenset(n for n in source.fields if record.get(n) is not None)
    return Look(tuple(problems), there)


def unwrapped(value: bytes) -> bytes | None:
    """Return what is inside base64; None if it is none."""
    try:
        return base64.b64decode(b"".join(value.split()), validate=True)
    except binascii.Error:
        return None


def parsed(value: bytes) -> list[Any]:
    """Return the JSON values in a text, strictly read; fails as `json` does if there is no JSON."""
    # In an array, where a second value behind the first can be seen.
    text = f"[{value.decode()}]"
    return list(json.loads(text, parse_float=Decimal, parse_constant=_refuse))


def nanos(text: str) -> int | None:
    """Return the epoch nanoseconds of a time; None if it is none. Without a zone it is UTC."""
    try:
        number = int(text) if _WHOLE.match(text) else Decimal(text)
    except (InvalidOperation, ValueError):
        return _iso(text)
    if isinstance(number, Decimal) and (not number.is_finite() or abs(number) >= _LARGEST_TIME):
        return None
    factor = next((f for bound, f in TIME_UNITS if 1 - bound <= number <= bound - 1), 1)
    found = int(number * factor)
    return found if found in _LONG else None


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
    return found if found in _LONG else None


def _of_fields(record: dict[str, Any], source: Source) -> Iterable[str]:
    for name, kind in source.fields.items():
        if record.get(name) is not None and not _fits(record[name], kind):
            yield f"{name}: expected {_WANTED[kind]}, got {_kind(record[name])}"
    for name in source.keys:
        value = record.get(name)
        if value is None or (isinstance(value, str) and not value.strip(" ")):
            yield f"{name}: missing or empty"
    for name, kind in source.fields.items():
        value = record.get(name)
        if kind == "double" and _is_number(value) and math.isinf(float(str(value))):
            yield f"{name}: not a finite number"


def _of_position(record: dict[str, Any], seen: int) -> Iterable[str]:
    op = "U" if record.get("op") is None else record["op"].upper()
    if op not in ("I", "U", "D"):
        yield f"op: expected I, U or D, got {shown(op, 20)}"
    given = {n: record[n] for n in ("event_ts", "event_time") if record.get(n) is not None}
    times = {name: nanos(str(value)) for name, value in given.items()}
    for name, at in times.items():
        if at is None:
            yield f"{name}: not a time"
    for name, at in times.items():
        if at is not None and at > (seen + MOST_AHEAD) * _NANOS_PER_MILLI:
            yield f"{name}: more than a day in the future"


def _fits(value: object, kind: FieldType) -> bool:
    return {
        "string": isinstance(value, str),
        "scalar": isinstance(value, str) or _is_number(value),
        "long": isinstance(value, int) and not isinstance(value, bool) and value in _LONG,
        "double": _is_number(value),
    }[kind]


def _is_number(value: object) -> bool:
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def _kind(*value: object) -> str:
    """Return what a value is in the words of JSON."""
    if not value:
        return "nothing"
    names = {dict: "an object", list: "an array", str: "a text", bool: "a boolean"}
    return "null" if value[0] is None else names.get(type(value[0]), "a number")


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)

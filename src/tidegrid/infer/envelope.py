"""Envelopes: the forms in which others wrap records, and what is inside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from tidegrid.contract.declaration.sources import HEADERS
from tidegrid.contract.values import value_at
from tidegrid.infer.seen import Path, Record, Seen, header, places

#: Objects that only wrap others: a column inside is not named after them.
_WRAPPERS = ("payload", "data", "body", "record", "message", "value", "attributes")
_MOST_BESIDE = 3
_CHANGES = ("c", "u", "d", "r", "t", "m")
_REQUIRED = ("specversion", "id", "source", "type")
_ATTRIBUTES = ("type", "subject", "source", "id", "time")


@dataclass(frozen=True)
class Envelope:
    """How records are wrapped."""

    #: What to say of it; empty of records that are as they are.
    says: str = ""
    #: The object with the columns.
    inside: Path = ()
    #: Places and headers around it that are shown too, and what their columns begin with.
    around: tuple[Path, ...] = ()
    headers: tuple[str, ...] = ()
    begin: tuple[str, ...] = ()
    #: The place with the time of the change.
    time: Path = ()
    #: The place, and the value there, of a record that takes its row away.
    delete: tuple[Path, str] | None = None
    #: Whether such a record has nothing inside, and so no key there.
    empty_deletes: bool = False


def recognise(objects: Sequence[dict[str, Any]], records: Sequence[Record]) -> Envelope:
    """Return the envelope that all but a few of the records have."""
    for prefix in ((), ("payload",)):
        if _most(objects, partial(_is_change, prefix)):
            return Envelope(
                says="changes of a database table, in Debezium's envelope",
                inside=(*prefix, "after"),
                around=((*prefix, "op"), (*prefix, "ts_ms")),
                time=(*prefix, "ts_ms"),
                delete=((*prefix, "op"), "d"),
                empty_deletes=True,
            )
    if _most(objects, lambda o: all(isinstance(o.get(name), str) for name in _REQUIRED)):
        return Envelope(
            says="CloudEvents",
            inside=("data",),
            around=tuple((name,) for name in _ATTRIBUTES),
            begin=("event",),
            time=("time",),
        )
    if _most(records, lambda r: all(r.headers.get(f"ce_{name}") for name in _REQUIRED)):
        return Envelope(
            says="CloudEvents, with their attributes in headers",
            headers=tuple(f"ce_{name}" for name in _ATTRIBUTES),
            begin=("event",),
        )
    if _most(objects, lambda o: o.get("__deleted") in ("true", "false")):
        return Envelope(
            says="changes of a database table, flattened by Debezium",
            delete=(("__deleted",), "true"),
        )
    return Envelope()


def opened(
    envelope: Envelope, objects: Sequence[dict[str, Any]], records: Sequence[Record]
) -> Iterator[Seen]:
    """Yield every place that may be shown, the ones inside first."""
    inner = {i: value_at(o, envelope.inside) for i, o in enumerate(objects)}
    held = {i: v for i, v in inner.items() if isinstance(v, dict)}
    if held:
        yield from places(
            held, len(held) if envelope.empty_deletes else len(objects), envelope.inside
        )
    around = [_single(objects, path) for path in envelope.around]
    if not held:
        around.insert(0, _single(objects, envelope.inside))
    yield from (s for s in (*around, *(header(records, n) for n in envelope.headers)) if s.values)


def column_path(path: Path, envelope: Envelope, beside: int) -> Path:
    """Return what a column is named after; `beside` is how many names the records have on top."""
    inside = len(envelope.inside)
    if inside and path[:inside] == envelope.inside:
        return path[inside:] or path[-1:]
    if path in envelope.around or path[:-1] == (HEADERS,):
        return (*envelope.begin, path[-1].removeprefix("ce_"))
    wrapped = len(path) > 1 and path[0].lower() in _WRAPPERS and beside <= _MOST_BESIDE
    return path[1:] if wrapped else path


def _single(objects: Sequence[dict[str, Any]], path: Path) -> Seen:
    found = {i: value_at(o, path) for i, o in enumerate(objects)}
    return Seen(path, {i: v for i, v in found.items() if v is not None}, len(objects))


def _is_change(prefix: Path, found: dict[str, Any]) -> bool:
    value = value_at(found, prefix)
    if not isinstance(value, dict) or value.get("op") not in _CHANGES:
        return False
    return ("after" in value or "before" in value) and ("source" in value or "ts_ms" in value)


def _most(found: Sequence[Any], fits: Callable[[Any], bool]) -> bool:
    return sum(map(fits, found)) * 10 >= len(found) * 9

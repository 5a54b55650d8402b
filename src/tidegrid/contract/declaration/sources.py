"""Reading the sources of a flow file: topics, fields, keys, and the lookups beside them."""

from __future__ import annotations

from decimal import Decimal
from difflib import get_close_matches
from typing import get_args

from tidegrid.contract.declaration.problems import quoted
from tidegrid.contract.declaration.section import Section, not_text
from tidegrid.contract.declaration.types import (
    Encoding,
    Field,
    FieldType,
    KafkaKey,
    Lookup,
    Source,
    Value,
)
from tidegrid.contract.values import LONG, number_in

KAFKA_KEY = "$key"
HEADERS = "$headers"
#: Names in a path: Spark's schema is as deep as it, and a parser's stack has an end.
_DEEPEST = 30
_LARGEST = 10**308


def source(name: str, table: Section) -> Source:
    """Return what a `[sources.NAME]` says."""
    found = Source(
        name=name,
        topic=table.text("topic"),
        key=table.names("key", needed=True),
        fields={name: _field(name, held) for name, held in _fields(table)},
        time=table.names("time"),
        max_ahead=table.seconds("max_ahead", 0),
        where=table.expression("where"),
        delete=table.expression("delete"),
        kafka_key=_kafka_key(table),
        encoding=table.choice("encoding", get_args(Encoding), "json"),
        columns=table.expressions("columns"),
    )
    table.unknown()
    return found


def lookup(name: str, table: Section) -> Lookup:
    """Return what a `[lookups.NAME]` says."""
    found = Lookup(
        name=name,
        parquet=table.text("parquet", needed=True),
        on=table.text("on", needed=True),
        columns=table.names("columns", needed=True),
    )
    table.unknown()
    return found


def is_path_name(part: object) -> bool:
    """Whether a path can have this name: Spark has no quotes for one with both kinds of them."""
    return isinstance(part, str) and bool(part) and not not_text(part) and not {*"'\""} <= {*part}


def _fields(table: Section) -> list[tuple[str, Section]]:
    """Return the fields; `name = "string"` is short for a table with a type."""
    do = 'give at least the key, such as { id = "string" }'
    given = table.take("fields", needed=True, do=do)
    fields = Section({} if given is None else given, table.at("fields"), table.problems)
    whole = {n: {"type": f} if isinstance(f, str) else f for n, f in fields.values.items()}
    return [(name, Section(f, fields.at(name), table.problems)) for name, f in whole.items()]


def _field(name: str, table: Section) -> Field:
    kind = table.choice("type", get_args(FieldType), "string")
    found = Field(
        name=name,
        type=kind,
        path=_path(name, table),
        default=_default(kind, table),
        one_of=_one_of(table),
        upper=table.flag("upper"),
        trim=table.flag("trim"),
        lenient=table.flag("lenient"),
    )
    table.unknown()
    return found


def _path(name: str, table: Section) -> tuple[str, ...]:
    value = table.take("from")
    if value is None:
        return (name,)
    if isinstance(value, str):
        # The name of a header may have dots of its own.
        parts = value.split(".", 1) if value.startswith(f"{HEADERS}.") else value.split(".")
    else:
        parts = value
    if not isinstance(parts, list) or not parts or not all(map(is_path_name, parts)):
        table.wrong("from", f"{quoted(value)} is no path", "write 'a.b' or ['a', 'b']")
    elif len(parts) > _DEEPEST:
        table.wrong("from", f"{len(parts)} names are more than {_DEEPEST}", "write a shorter path")
    elif parts[0] == HEADERS and len(parts) != 2:
        table.wrong("from", f"{quoted(value)} names no header", f"write '{HEADERS}.NAME'")
    elif parts[0] == KAFKA_KEY and len(parts) != 1:
        table.wrong("from", "the Kafka key is read as a text, whole", f"write '{KAFKA_KEY}'")
    elif parts[0].startswith("$") and (near := _special(parts[0])):
        table.wrong("from", f"there is no {quoted(parts[0])}", f"did you mean '{near}'?")
    else:
        return tuple(parts)
    return (name,)


def _special(word: str) -> str:
    """Return the place beside the value that was probably meant; empty if it is a field's name."""
    near = get_close_matches(word.lower(), (KAFKA_KEY, HEADERS), 1, 0.7)
    return near[0] if near and near[0] != word else ""


def _one_of(table: Section) -> tuple[str, ...]:
    value = table.take("one_of")
    if value is None:
        return ()
    if not isinstance(value, list) or not value or any(not_text(v) for v in value):
        table.wrong("one_of", f"expected a list of texts, got {quoted(value)}")
        return ()
    return tuple(dict.fromkeys(value))


def _default(kind: FieldType, table: Section) -> Value | None:
    value = table.take("default")
    if value is None:
        return None
    if kind in ("time", "json"):
        table.wrong("default", f"a field of type {kind} has none", "leave it out")
        return None
    found = _as(kind, value)
    if found is None:
        table.wrong("default", f"{quoted(value)} is no {kind}")
    return found


def _as(kind: FieldType, value: object) -> Value | None:
    """Return a value as a type of field has it; a text may hold a number, or true or false."""
    if isinstance(value, str) and kind in ("string", "scalar"):
        return None if not_text(value) else value
    if kind == "boolean":
        if isinstance(value, str):
            return {"true": True, "false": False}.get(value)
        return value if isinstance(value, bool) else None
    number = number_in(value) if isinstance(value, str) else value
    if isinstance(number, bool) or not isinstance(number, int | float | Decimal):
        return None
    if kind == "long":
        return number if isinstance(number, int) and number in LONG else None
    # Neither infinite nor NaN is in between.
    if kind == "string" or not -_LARGEST < number < _LARGEST:
        return None
    return float(number) if kind == "double" else str(number)


def _kafka_key(table: Section) -> KafkaKey | None:
    value = table.take("kafka_key")
    if value is None:
        return None
    if isinstance(value, str) and value:
        return KafkaKey((value,))
    if isinstance(value, dict):
        held = Section(value, table.at("kafka_key"), table.problems)
        found = KafkaKey(held.names("json", needed=True), json=True)
        held.unknown()
        return found
    table.wrong("kafka_key", f"expected a field or {{ json = ['a', 'b'] }}, got {quoted(value)}")
    return None

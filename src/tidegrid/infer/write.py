"""The flow file: what it declares, and what was seen beside each field."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tidegrid.contract import records
from tidegrid.contract.declaration import toml
from tidegrid.contract.declaration.sources import KAFKA_KEY
from tidegrid.contract.declaration.toml import Comments
from tidegrid.contract.values import is_number, number_in
from tidegrid.infer import words
from tidegrid.infer.key import Key
from tidegrid.infer.names import title
from tidegrid.infer.seen import Path
from tidegrid.infer.types import Column, is_date
from tidegrid.infer.when import When

_EXAMPLES = 3
_EXAMPLE_CHARS = 30


@dataclass(frozen=True)
class Draft:
    """All that a file is written of."""

    topic: str
    #: The name of the source, which its views begin with.
    source: str
    columns: Sequence[Column]
    key: Key
    when: When
    #: Spark SQL that says which records take their row away; empty if none does.
    delete: str
    #: What to say at the top.
    remarks: Sequence[str]
    #: Fields that are not in the file, each with the reason.
    left_out: Sequence[tuple[Path, str]]


def document(draft: Draft, encoding: str) -> dict[str, Any]:
    """Return what the file says."""
    source = {"topic": draft.topic} | ({"encoding": encoding} if encoding != "json" else {})
    key, kafka = list(draft.key.fields), list(draft.key.kafka)
    more = {
        "key": key,
        "kafka_key": {"json": kafka} if draft.key.json else "".join(kafka[:1]),
        "time": [draft.when.field] if draft.when.field else [],
        "delete": draft.delete,
        "fields": {column.name: _field(column) for column in draft.columns},
    }
    styles = {c.name: style for c in draft.columns if (style := _style(c))}
    return {
        "title": title(draft.topic),
        "sources": {draft.source: source | {k: held for k, held in more.items() if held}},
        "views": views(draft.source),
    } | ({"columns": styles} if styles else {})


def views(source: str) -> dict[str, dict[str, str]]:
    """Return the views of a source, by the names of their tables."""
    return {
        f"{source}_latest": {"latest": source, "title": "Latest"},
        f"{source}_events": {"events": source, "title": "Events"},
    }


def comments(draft: Draft) -> Comments:
    """Return what the file says beside what it declares."""
    place = ("sources", draft.source)
    tombstones = "A record without a value takes the row of its Kafka key away."
    fields = (*place, "fields")
    return Comments(
        top=tuple(draft.remarks),
        above={
            (*place, "key"): (f"Key: {draft.key.says}.",),
            (*place, "time"): (f"Time: {draft.when.says}.",),
            **({(*place, "kafka_key"): (tombstones,)} if draft.key.kafka else {}),
            fields: tuple(f"Left out: {left_out(path, why)}." for path, why in draft.left_out),
        },
        beside={(*fields, column.name): seen_as(column) for column in draft.columns},
    )


def left_out(path: Path, why: str) -> str:
    """Return what to say of a field that is not in the file."""
    name = toml.printable(".".join(path), 60).strip() or "a field without a name"
    return f"{name}: {toml.printable(why, 100)}"


def seen_as(column: Column) -> str:
    """Return what was seen of a field."""
    seen = column.seen
    there = f"in all {seen.of}" if seen.share == 1 else f"in {len(seen.values)} of {seen.of}"
    parts = (there, _range(column), toml.printable(column.guess.why, 200))
    return "; ".join(part for part in parts if part)


def _field(column: Column) -> str | dict[str, Any]:
    guess, path = column.guess, column.seen.path
    found: dict[str, Any] = {"type": guess.type}
    if path != (column.name,):
        # A text is a path with dots between its names, so names with others are listed.
        names = path if column.seen.in_value else path[1:]
        plain = all(name.replace("_", "").isalnum() for name in names)
        found["from"] = ".".join(path) if plain else list(path)
    if guess.lenient:
        found["lenient"] = True
    return guess.type if len(found) == 1 else found


def _style(column: Column) -> dict[str, str]:
    found = {}
    named = column.seen.path[-1]
    if column.seen.in_value and not column.name.endswith(named):
        found["label"] = named
    if column.seen.path == (KAFKA_KEY,):
        found["label"] = "Kafka key"
    if column.guess.type == "time":
        found["format"] = "date" if is_date(column.seen) else "time"
    elif column.guess.type == "double" and words.MONEY.intersection(words.words(named)):
        found["format"] = "money"
    return found


def _range(column: Column) -> str:
    values = list(column.seen.values.values())
    if column.guess.type == "time":
        times = [t for v in values if (t := records.nanos(str(v))) is not None]
        return " to ".join(dict.fromkeys((_iso(min(times)), _iso(max(times)))))
    if column.guess.type in ("long", "double"):
        numbers = [v if is_number(v) else number_in(str(v)) for v in values]
        known = [n for n in numbers if n is not None]
        ends = (toml.printable(str(n), _EXAMPLE_CHARS) for n in (min(known), max(known)))
        return " to ".join(dict.fromkeys(ends))
    if column.guess.type == "boolean":
        return f"true in {sum(str(v).lower() == 'true' for v in values)}"
    texts = [v if isinstance(v, str) else json.dumps(v, default=str) for v in values]
    different = dict.fromkeys(texts)
    first = list(different)[:_EXAMPLES]
    examples = ", ".join(toml.printable(t, _EXAMPLE_CHARS) or "empty" for t in first)
    if len(different) <= _EXAMPLES:
        return examples
    return f"{len(different)} different, such as {examples}"


def _iso(nanos: int) -> str:
    return datetime.fromtimestamp(nanos // 10**9, UTC).isoformat().replace("+00:00", "Z")

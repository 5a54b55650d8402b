"""Fields: the columns of a record as SQL, from its JSON, its Kafka key or its headers.

A field that is just taken over from the parsed record is written where it is asked for; a source
with one that costs something to make has all of them made once, as the struct `of_<source>`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tidegrid.contract.declaration.types import Field, Source
from tidegrid.pipeline import sql, times

#: Where the parser puts a record that it cannot read.
CORRUPT = "tg corrupt"
#: Strict JSON: what another reader would refuse is refused here too.
_JSON = (
    f"map('columnNameOfCorruptRecord', '{CORRUPT}', 'allowSingleQuotes', 'false', "
    "'allowNonNumericNumbers', 'false')"
)
#: What the JSON parser is to make of each type; the others it reads as text.
PARSED = {"long": "BIGINT", "double": "DOUBLE", "boolean": "BOOLEAN"}

#: Where a field is that is not in the JSON of its record.
BESIDE = ("$key", "$headers")


def by_source(texts: Iterable[str], source: str = "source") -> str:
    """Return the one of several expressions, in the order of the sources, that is for a record."""
    found = list(texts)
    if len(set(found)) == 1:
        return found[0]
    cases = " ".join(f"WHEN {n} THEN {text}" for n, text in enumerate(found))
    return f"CASE {source} {cases} END"


def of(source: Source) -> str:
    """Return the column with the fields of a record, if it is of this source."""
    return sql.name(f"of_{source.name}")


def at(source: Source) -> str:
    """Return the time of a record in epoch nanoseconds: the first there is, else Kafka's."""
    given = [f"{of(source)}.{sql.name(n)}" for n in source.time]
    return f"coalesce({', '.join([*given, f'ts * {sql.NANOS_PER_MILLI}'])})"


def parsed_type(field: Field) -> str:
    """Return what the JSON parser is to make of a field."""
    return "STRING" if field.lenient else PARSED.get(field.type, "STRING")


def is_plain(source: Source) -> bool:
    """Whether the fields of a source cost nothing to make, and no clock is asked about them."""
    costly = (
        f.type == "time" or f.lenient or f.default is not None for f in source.fields.values()
    )
    return not any(costly) and source.kafka_key is None and not source.max_ahead


def _written(field: Field, raw: str, source: Source) -> str:
    """Return the text of a field as rows have it."""
    found = f"upper({raw})" if field.upper else raw
    if field.trim:
        return f"nullif(trim({found}), '')"
    return f"trim({found})" if field.name in source.key and field.is_text else found


def column(source: Source, name: str) -> str:
    """Return a field of a record, wherever it is made."""
    if is_plain(source):
        field = source.fields[name]
        return _ready(field, raw(field, source), source)
    return f"{of(source)}.{sql.name(name)}"


def parse(json: str, source: Source) -> str:
    """Return the struct of a JSON text; check it with `reasons` before using a field."""
    tree: dict[str, Any] = {}
    for field in in_json(source):
        *folders, leaf = field.path
        place = tree
        for folder in folders:
            place = place.setdefault(folder, {})
        place[leaf] = parsed_type(field)
    schema = _schema({**tree, CORRUPT: "STRING"}, " ")
    return f"from_json({json}, {sql.literal(schema)}, {_JSON})"


def _schema(tree: Mapping[str, Any], between: str) -> str:
    return ", ".join(
        f"{sql.name(name)}{between}"
        + (f"STRUCT<{_schema(kind, ': ')}>" if isinstance(kind, dict) else kind)
        for name, kind in tree.items()
    )


def in_json(source: Source) -> list[Field]:
    """Return the fields that are in the JSON of a record."""
    return [f for f in source.fields.values() if f.path[0] not in BESIDE]


def raw(field: Field, source: Source) -> str:
    """Return a field as the parser found it."""
    if field.path[0] in BESIDE:
        return f"make_valid_utf8(cast({bytes_beside(field)} as string))"
    return ".".join([sql.name(f"parsed_{source.name}"), *(sql.name(p) for p in field.path)])


def bytes_beside(field: Field) -> str:
    """Return the bytes of a field that is in the Kafka key or the headers of its record."""
    if field.path[0] == "$key":
        return "kafka_key"
    return f"get(filter(headers, h -> h.key = {sql.literal(field.path[1])}), 0).value"


def struct(source: Source) -> str:
    """Return all fields of a record; of a tombstone, what its Kafka key says."""
    ready = sql.struct({f.name: _ready(f, raw(f, source), source) for f in source.fields.values()})
    if source.kafka_key is None:
        return ready
    named = sql.struct({f.name: _of_tombstone(f, source) for f in source.fields.values()})
    return f"CASE WHEN value IS NULL THEN {named} ELSE {ready} END"


def _ready(field: Field, raw: str, source: Source) -> str:
    """Return a field as rows have it: trimmed, in its type, with its default."""
    found = _written(field, raw, source)
    if field.type == "time":
        return times.nanos(found)
    if field.lenient:
        found = f"try_cast(trim({found}) AS {PARSED[field.type]})"
    return f"coalesce({found}, {sql.value(field.default)})" if field.default is not None else found


def _of_tombstone(field: Field, source: Source) -> str:
    """Return a field of a record without a value, from its Kafka key; null if it is not there."""
    key = source.kafka_key
    assert key is not None
    kind = {"long": "BIGINT", "time": "BIGINT"}.get(field.type, PARSED.get(field.type, "STRING"))
    if field.name not in key.fields:
        return f"cast(null AS {kind})"
    text = "make_valid_utf8(cast(kafka_key as string))"
    if key.json:
        # `try_`: a key that is no JSON has none of these.
        place = sql.literal(variant_path("$", (field.path[-1],)))
        text = f"try_variant_get(try_parse_json({text}), {place}, 'string')"
    return f"try_cast(trim({_written(field, text, source)}) AS {kind})"


def variant_path(start: str, names: Iterable[str]) -> str:
    """Return the path of nested names, as Spark's functions of variants take it."""
    return start + "".join(f"['{n}']" if "'" not in n else f'["{n}"]' for n in names)

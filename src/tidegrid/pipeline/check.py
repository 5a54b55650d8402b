"""Check: Spark's part of checking a declaration, its expressions and their types."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from pyspark.sql import SparkSession

from tidegrid.contract.declaration import DeclarationError, Problem
from tidegrid.contract.declaration.types import Buckets, Flow, Source
from tidegrid.contract.views import ColumnType
from tidegrid.pipeline import fields, sql
from tidegrid.pipeline.expressions import ExpressionError, qualified, type_of

Place = tuple[str, ...]
#: The types of Spark that a derived column may have, and what rows have them as.
_TYPES: dict[str, ColumnType] = {
    "string": "string",
    "date": "string",
    **dict.fromkeys(("tinyint", "smallint", "int", "bigint"), "long"),
    **dict.fromkeys(("float", "double", "decimal"), "double"),
    "boolean": "boolean",
    "timestamp": "nanos",
    "timestamp_ntz": "nanos",
}
#: Values of each type of field, to try expressions on: usual ones, and the ends of what there is.
_SAMPLES = {
    "string": ("'x'", "'999999-12-31'", "'-290000-01-01T00:00:00Z'"),
    "scalar": ("'1'", "'999999-12-31'", "'9223372036854775807'"),
    "json": ("'{}'",) * 3,
    "long": ("1L", "9223372036854775807L", "-9223372036854775807L"),
    "double": ("double('1.5')", "double('1.7e308')", "double('-1.7e308')"),
    "boolean": ("true", "false", "cast(null AS boolean)"),
    "time": ("1767323045000000000L", "9223372036854775807L", "-9223372036854775807L"),
}
#: What all derived texts of a record may have in a row together: a row of two joined sources fits
#: into what a changelog takes, with the records themselves.
_MOST_BYTES = 2**20
#: What may make a text longer; a name that only looks like it does no harm.
_GROWS = re.compile(
    r"\|\||\b(concat|concat_ws|format_number|initcap|lcase|lower|regexp_replace|replace|translate"
    r"|ucase|upper)\b",
    re.IGNORECASE,
)
_NO_CONDITION = "is no condition: it must be true or false"
_MEASURES = ("sum", "min", "max", "first", "last")


def resolve(spark: SparkSession, flow: Flow) -> dict[str, dict[str, str]]:
    """Return the type of each derived column, by source; all that is wrong is raised at once."""
    problems: list[Problem] = []
    types: dict[str, dict[str, str]] = {name: {} for name in flow.sources}

    def kind_of(place: Place, text: str, source: Source) -> str:
        try:
            return type_of(spark, text, _samples(source)).partition("(")[0]
        except ExpressionError as e:
            problems.append(_problem(flow, place, e))
            return ""

    texts = expressions(spark, flow, problems)
    for source in flow.sources.values():
        _check_paths(flow, source, problems)
        for column in source.columns:
            place = _place(source, column)
            kind = kind_of(place, texts[place], source) if place in texts else ""
            if kind and kind not in _TYPES:
                what = f"is a {kind}; make it a text, a number, a boolean or a time"
                problems.append(_problem(flow, place, what))
            types[source.name][column] = _TYPES.get(kind, "string")
        for word in ("where", "delete"):
            place = ("sources", source.name, word)
            if place in texts and kind_of(place, texts[place], source) not in ("boolean", ""):
                problems.append(_problem(flow, place, _NO_CONDITION))
    for view in (v for v in flow.views.values() if isinstance(v, Buckets)):
        for place in (p for p in texts if p[:2] == ("views", view.name)):
            kind = kind_of(place, texts[place], flow.sources[view.source])
            if place[2] == "where" and kind not in ("boolean", ""):
                problems.append(_problem(flow, place, _NO_CONDITION))
            elif place[2] != "where" and _TYPES.get(kind, "double") not in ("long", "double"):
                problems.append(_problem(flow, place, "is no number"))
    if problems:
        raise DeclarationError(problems)
    return types


def expressions(
    spark: SparkSession, flow: Flow, problems: list[Problem] | None = None
) -> dict[Place, str]:
    """Return the declared expressions as SQL over the query's own columns, by place.

    What cannot be read is added to `problems`, or raised if nobody wants them.
    """
    found: dict[Place, str] = {}
    times_longer: dict[Place, int] = {}
    failed: list[Problem] = [] if problems is None else problems

    def take(place: Place, text: str, columns: Mapping[str, str], source: Source) -> None:
        if not text:
            return
        longer = {n: times_longer.get(_place(source, n), 1) for n in source.columns}
        try:
            found[place], times_longer[place] = qualified(spark, text, columns, longer)
        except ExpressionError as e:
            failed.append(_problem(flow, place, e))

    for source in flow.sources.values():
        columns = _columns(source)
        for name, text in source.columns.items():
            take(_place(source, name), text, columns, source)
            columns[name] = found.get(_place(source, name), "null")
        take(("sources", source.name, "where"), source.where, columns, source)
        take(("sources", source.name, "delete"), source.delete, columns, source)
    for view in flow.views.values():
        if isinstance(view, Buckets):
            source = flow.sources[view.source]
            # A time is held as a number, so what works with derived times works them out again.
            held = {n: found.get(_place(source, n), "null") for n in source.columns}
            for place, text in _of_view(view):
                take(place, text, {**_columns(source), **held}, source)
    if problems is None and failed:
        raise DeclarationError(failed)
    return found


def as_wire(
    columns: Mapping[str, str], types: Mapping[str, str], max_value_bytes: int
) -> dict[str, str]:
    """Return derived columns as rows have them, by name.

    Kafka takes a row of some size, and a query that has made a larger one makes it at every start.
    So texts that may be longer than what they are made of are cut.
    """
    texts = [name for name, kind in types.items() if kind == "string"]
    # In JSON a character has up to six bytes.
    most = _MOST_BYTES // 6 // max(len(texts), 1)
    many = len(texts) * max_value_bytes > _MOST_BYTES
    found = {name: _as_wire(columns[name], kind) for name, kind in types.items()}
    for name in texts:
        if many or _GROWS.search(columns[name]):
            found[name] = f"left({found[name]}, {most})"
    return found


def _as_wire(text: str, kind: str) -> str:
    if kind == "nanos":
        return f"try_multiply(unix_micros({text}), 1000L)"
    if kind == "double":
        return sql.finite(text)
    return f"cast({text} AS {'bigint' if kind == 'long' else kind})"


def uses_headers(flow: Flow) -> bool:
    """Whether a field is read from the headers of its records."""
    declared = (f for s in flow.sources.values() for f in s.fields.values())
    return any(f.path[0] == "$headers" for f in declared)


def _place(source: Source, column: str) -> Place:
    return "sources", source.name, "columns", column


def _of_view(view: Buckets) -> Iterator[tuple[Place, str]]:
    yield ("views", view.name, "where"), view.where
    for word in _MEASURES:
        for name, text in getattr(view, word).items():
            yield ("views", view.name, word, name), text


def _columns(source: Source) -> dict[str, str]:
    """Return the fields of a source as expressions see them: times are timestamps."""
    found = {n: f"{fields.of(source)}.{sql.name(n)}" for n in source.fields}
    times = {n: text for n, text in found.items() if source.fields[n].type == "time"}
    if source.time:
        times[source.time[0]] = fields.at(source)
    return {**found, **{n: f"timestamp_micros(({text}) div 1000)" for n, text in times.items()}}


def _samples(source: Source) -> str:
    rows = (
        sql.struct({n: _SAMPLES[f.type][number] for n, f in source.fields.items()})
        for number in range(3)
    )
    held = ", ".join(f"({row}, 1767323045000L)" for row in rows)
    return f"(SELECT * FROM VALUES {held} AS t({fields.of(source)}, ts))"


def _check_paths(flow: Flow, source: Source, problems: list[Problem]) -> None:
    """See that no place in a record is read as two types."""
    kinds: dict[Place, str] = {}
    for field in source.fields.values():
        kind = fields.parsed_type(field)
        if kinds.setdefault(field.path, kind) != kind:
            place: Place = ("sources", source.name, "fields", field.name)
            what = "is read from a place that another field reads as another type"
            problems.append(_problem(flow, place, what))


def _problem(flow: Flow, place: Place, what: object) -> Problem:
    return Problem(flow.name, ".".join(place), str(what))

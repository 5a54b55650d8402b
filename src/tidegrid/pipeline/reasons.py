"""Reasons: why a record cannot be used, as SQL.

The usual record is seen to be right at little cost. Only one that is not plainly right is looked at
again, parsed once more into a variant that keeps its types, to say what was wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from tidegrid.contract import records
from tidegrid.contract.declaration.types import Source
from tidegrid.pipeline import fields, sql


def reason(source: Source, max_bytes: int) -> str:
    """Return why a record cannot be used; null if it can."""
    rules = (*_too_large_beside(source, max_bytes), *_rules(source))
    why = ", ".join((*_reasons(source, max_bytes), *(_when(c, text) for c, text in rules)))
    found = f"CASE WHEN NOT {plainly_right(source, max_bytes)} THEN coalesce({why}) END"
    if source.kafka_key is None:
        return found
    wrong = (_when(c, text) for c, text in _too_large_beside(source, max_bytes))
    of_tombstone = ", ".join((*wrong, *_blank_keys(source)))
    return f"CASE WHEN value IS NULL THEN coalesce({of_tombstone}) ELSE {found} END"


def plainly_right(source: Source, max_bytes: int) -> str:
    """Say, at little cost, whether a record is one of the usual kind: flat, plain and right.

    Of a record that is not, only `_reasons` knows whether it can be used: an object inside it or an
    escape in a text is enough to get here.
    """
    if any(len(f.path) > 1 for f in fields.in_json(source)):
        return "false"
    good = [
        f"octet_length(value) <= {max_bytes}",
        "is_valid_utf8(json)",
        f"{sql.name(f'parsed_{source.name}')}.{sql.name(fields.CORRUPT)} IS NULL",
        # One flat object ends at its first brace. Told by bytes: characters have to be counted.
        "octet_length(json) = octet_length(substring_index(json, '}', 1)) + 1",
    ]
    for field in fields.in_json(source):
        column = fields.raw(field, source)
        if field.type == "string":
            # The parser takes any value for a text: a text is one that stands in quotes.
            tight, loose = (
                f"concat({sql.literal(f'{quoted}:{gap}')}, {column}, '\"')"
                for quoted in [f'"{field.path[0]}"']
                for gap in ('"', ' "')
            )
            good.append(f"({column} IS NULL OR contains(json, {tight}) OR contains(json, {loose}))")
        elif field.type in ("scalar", "time") or field.lenient:
            # Most of what is neither begins like that; nothing else in a flat object is left.
            odd = f"{column} IN ('true', 'false') OR startswith({column}, '[')"
            if field.type == "boolean":
                quoted = f"contains(json, concat('\"', {column}, '\"'))"
                odd = f"{column} NOT IN ('true', 'false') AND NOT {quoted}"
            good.append(f"({column} IS NULL OR NOT ({odd}))")
        if field.type == "double":
            number = fields.column(source, field.name)
            good.append(f"({number} IS NULL OR abs({number}) < double('infinity'))")
    good += [f"NOT ({_is_blank(n, source)})" for n in source.key]
    # A rule about a field that is not there says nothing, so it is not broken.
    rules = (*_too_large_beside(source, max_bytes), *_rules(source))
    good += [f"NOT coalesce({broken}, false)" for broken, _ in rules]
    return f"coalesce({' AND '.join(good)}, false)"


def _reasons(source: Source, max_bytes: int) -> Iterator[str]:
    size = "octet_length(value)"
    yield _when("value IS NULL", "'no value: a tombstone'")
    yield _when(f"{size} = 0", "'empty value'")
    too_large = f"concat('value too large: ', {size}, ' bytes, at most {max_bytes}')"
    yield _when(f"{size} > {max_bytes}", too_large)
    yield _when("json IS NULL", sql.literal(f"not {source.encoding}"))
    yield _when("NOT is_valid_utf8(json)", "'not valid UTF-8'")
    # As a variant, which keeps types; and inside an array, where a second value behind the first is
    # an error.
    yield sql.once("try_parse_json(concat('[', json, ']'))", "doc", _shape(source))
    yield from _blank_keys(source)
    for field in source.fields.values():
        if field.type == "double":
            column = fields.column(source, field.name)
            wrong = f"isnan({column}) OR abs({column}) = double('infinity')"
            yield _when(wrong, sql.literal(f"{records.place(field)}: not a finite number"))
    corrupt = f"{sql.name(f'parsed_{source.name}')}.{sql.name(fields.CORRUPT)}"
    yield _when(f"{corrupt} IS NOT NULL", "'not JSON that can be read'")


def _shape(source: Source) -> str:
    """Return what is wrong with the types in `doc`: all are looked up, and the first is told."""
    shaped = [f for f in fields.in_json(source) if f.type != "json"]
    inner = dict.fromkeys(f.path[:n] for f in shaped for n in range(1, len(f.path)))
    expected = [
        (place, "object", f"{'.'.join(place)}: expected an object, got ") for place in inner
    ]
    expected += [
        (
            f.path,
            f"{f.type}?" if f.lenient else f.type,
            f"{records.place(f)}: expected {records.WANTED[f.type]}, got ",
        )
        for f in shaped
    ]
    places, kinds, words = zip(*expected, strict=True) if expected else ((), (), ())
    types = f"array({', '.join(map(_type_at, places))})"
    kind, said = (f"array({', '.join(map(sql.literal, texts))})[n]" for texts in (kinds, words))
    wrong = _when(f"t <> 'VOID' AND NOT ({_fits(kind)})", f"concat({said}, {_plain('t')})")
    first = f"get(filter(transform({types}, (t, n) -> {wrong}), w -> w IS NOT NULL), 0)"
    whole = "schema_of_variant(try_variant_get(doc, '$[0]', 'variant'))"
    return (
        "CASE WHEN doc IS NULL THEN 'not JSON' "
        "WHEN try_variant_get(doc, '$[1]', 'variant') IS NOT NULL "
        "THEN 'not JSON: more than one value' "
        f"WHEN NOT coalesce(startswith({whole}, 'OBJECT'), false) "
        f"THEN concat('not a JSON object but ', {_plain(whole)}) "
        f"{f'ELSE {first} ' if expected else ''}END"
    )


def _type_at(where: tuple[str, ...]) -> str:
    place = sql.literal(fields.variant_path("$[0]", where))
    return f"schema_of_variant(try_variant_get(doc, {place}, 'variant'))"


def _fits(kind: str) -> str:
    """Return whether `t`, the type of a variant, is one that a field of a kind may have."""
    number = "t IN ('BIGINT', 'DOUBLE', 'FLOAT') OR startswith(t, 'DECIMAL')"
    # A lenient field may be a text whatever it is; whether that holds a number is seen later.
    return (
        f"CASE rtrim('?', {kind}) WHEN 'string' THEN t = 'STRING' "
        f"WHEN 'scalar' THEN t = 'STRING' OR {number} WHEN 'time' THEN t = 'STRING' OR {number} "
        f"WHEN 'long' THEN t = 'BIGINT' WHEN 'double' THEN {number} "
        "WHEN 'boolean' THEN t = 'BOOLEAN' ELSE startswith(t, 'OBJECT') END "
        f"OR (endswith({kind}, '?') AND t = 'STRING')"
    )


def _plain(kind: str) -> str:
    """Return a variant's type in the words of JSON."""
    return (
        f"CASE WHEN {kind} IS NULL THEN 'nothing' "
        f"WHEN startswith({kind}, 'ARRAY') THEN 'an array' "
        f"WHEN startswith({kind}, 'OBJECT') THEN 'an object' "
        f"WHEN {kind} = 'STRING' THEN 'a text' "
        f"WHEN {kind} = 'BOOLEAN' THEN 'a boolean' "
        f"WHEN {kind} = 'VOID' THEN 'null' ELSE 'a number' END"
    )


def _is_blank(name: str, source: Source) -> str:
    column = fields.column(source, name)
    empty = f" OR {column} = ''" if source.fields[name].is_text else ""
    return f"{column} IS NULL{empty}"


def _blank_keys(source: Source) -> Iterator[str]:
    for name in source.key:
        missing = f"{records.place(source.fields[name])}: missing or empty"
        yield _when(_is_blank(name, source), sql.literal(missing))


def _too_large_beside(source: Source, max_bytes: int) -> Iterator[tuple[str, str]]:
    """Yield what is too large beside the value, of what fields or tombstones are made of."""
    held = {
        f"Kafka {records.place(f).removeprefix('$')}": fields.bytes_beside(f)
        for f in source.fields.values()
        if f.path[0] in fields.BESIDE
    }
    if source.kafka_key is not None:
        held["Kafka key"] = "kafka_key"
    for what, value in held.items():
        size = f"octet_length({value})"
        words = sql.literal(f"{what} too large: ")
        yield f"{size} > {max_bytes}", f"concat({words}, {size}, ' bytes, at most {max_bytes}')"


def _rules(source: Source) -> Iterator[tuple[str, str]]:
    """Yield what a well-formed record may still break, each with the reason."""
    for field in source.fields.values():
        column, place = fields.column(source, field.name), records.place(field)
        if field.lenient:
            raw = fields.raw(field, source)
            words = f"{place}: expected {records.WANTED[field.type]}, got a text"
            held = f"try_cast(trim({raw}) AS {fields.PARSED[field.type]})"
            yield f"{raw} IS NOT NULL AND {held} IS NULL", sql.literal(words)
        if field.one_of:
            allowed = ", ".join(sql.literal(text) for text in field.one_of)
            words = sql.literal(f"{place}: expected {records.one_of_text(field)}, got ")
            shown = f"left({column}, {records.SHOWN_CHARS})"
            yield f"{column} NOT IN ({allowed})", f"concat({words}, {shown})"
    for field in source.fields.values():
        if field.type == "time":
            column, place = fields.column(source, field.name), records.place(field)
            raw = fields.raw(field, source)
            yield f"{raw} IS NOT NULL AND {column} IS NULL", sql.literal(f"{place}: not a time")
    if source.max_ahead:
        latest = f"(seen + {1000 * source.max_ahead}) * {sql.NANOS_PER_MILLI}"
        late = f"more than {records.ahead_text(source.max_ahead)} in the future"
        for name in source.time:
            place = records.place(source.fields[name])
            yield f"{fields.column(source, name)} > {latest}", sql.literal(f"{place}: {late}")
        yield f"{fields.at(source)} > {latest}", sql.literal(f"timestamp: {late}")


def _when(condition: str, then: str) -> str:
    return f"CASE WHEN {condition} THEN {then} END"

"""Decode: a Kafka record becomes typed fields, or a reason why it cannot be used.

The usual record takes one pass of the JSON parser. Only a record that fails it is looked at again,
to say what was wrong; nothing here throws, whatever the bytes are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pyspark.sql import Column
from pyspark.sql import functions as F

FieldType = Literal["string", "long", "double"]

#: How much of a rejected value is kept.
SNIPPET_CHARS = 200
#: Strict JSON: what another reader would refuse is refused here too.
_JSON = {
    "columnNameOfCorruptRecord": "_corrupt",
    "allowSingleQuotes": "false",
    "allowNonNumericNumbers": "false",
}


@dataclass(frozen=True)
class Source:
    """What the records of a topic look like."""

    fields: Mapping[str, FieldType]
    #: Fields that must be there and not be blank; they are trimmed.
    keys: tuple[str, ...]


def text(value: Column, encoding: str) -> Column:
    """Return the bytes of a record as JSON text; null if they are base64 that cannot be read."""
    if encoding == "base64":
        return F.try_to_binary(value.cast("string"), F.lit("base64")).cast("string")
    return value.cast("string")


def parse(json: Column, source: Source) -> Column:
    """Return the struct of a JSON text; check it with `reason` before using a field."""
    schema = ", ".join(f"{name} {kind}" for name, kind in source.fields.items())
    return F.from_json(json, f"{schema}, _corrupt string", _JSON)


def field(parsed: Column, name: str, source: Source) -> Column:
    """Return one field of a parsed record, its key trimmed."""
    return F.trim(parsed[name]) if name in source.keys else parsed[name]


def clearly_good(
    value: Column, json: Column, parsed: Column, source: Source, max_bytes: int
) -> Column:
    """Say, at little cost, whether a record is one of the usual kind: flat, plain and right.

    Of a record that is not, only `reason` knows whether it can be used: an object inside it or an
    escape in a text is enough to get here.
    """
    good = (
        (F.octet_length(value) <= max_bytes)
        & F.is_valid_utf8(json)
        & parsed["_corrupt"].isNull()
        # One flat object ends at its first brace.
        & (F.length(json) == F.instr(json, "}"))
    )
    for name, kind in source.fields.items():
        column = parsed[name]
        if kind == "string":
            # The parser takes any value for a text: a text is one that stands in quotes.
            good &= column.isNull() | (
                F.contains(json, F.concat(F.lit(f'"{name}":"'), column, F.lit('"')))
                | F.contains(json, F.concat(F.lit(f'"{name}": "'), column, F.lit('"')))
            )
        if name in source.keys:
            good &= F.length(F.trim(column)) > 0
        if kind == "double":
            good &= column.isNull() | (F.abs(column) < float("inf"))
    return F.coalesce(good, F.lit(False))


def reason(
    value: Column, json: Column, parsed: Column, source: Source, encoding: str, max_bytes: int
) -> Column:
    """Return why a record cannot be used, or null if it can."""
    # Parsed again, as variants this time, which keep their types; and inside an array, where a
    # second value behind the first is an error.
    array = F.try_parse_json(F.concat(F.lit("["), json, F.lit("]")))
    size = F.octet_length(value).cast("string")
    return F.coalesce(
        F.when(value.isNull(), "no value: a tombstone"),
        F.when(F.octet_length(value) == 0, "empty value"),
        F.when(
            F.octet_length(value) > max_bytes,
            F.concat(F.lit("value too large: "), size, F.lit(f" bytes, at most {max_bytes}")),
        ),
        F.when(json.isNull(), f"not {encoding}"),
        F.when(~F.is_valid_utf8(json), "not valid UTF-8"),
        F.when(array.isNull(), "not JSON"),
        F.when(_part(array, "$[1]").isNotNull(), "not JSON: more than one value"),
        _not_an_object(array),
        *(_wrong_type(array, name, kind) for name, kind in source.fields.items()),
        *(_blank_key(parsed, name) for name in source.keys),
        *(_not_finite(parsed, name) for name, kind in source.fields.items() if kind == "double"),
        F.when(parsed["_corrupt"].isNotNull(), "not JSON that can be read"),
    )


def snippet(value: Column) -> Column:
    """Return the start of a value as text, whatever its bytes are."""
    start = F.substring(value, 1, 4 * SNIPPET_CHARS).cast("string")
    return F.substring(F.make_valid_utf8(start), 1, SNIPPET_CHARS)


def _part(variant: Column, path: str) -> Column:
    return F.try_variant_get(variant, path, "variant")


def _not_an_object(array: Column) -> Column:
    kind = F.schema_of_variant(_part(array, "$[0]"))
    return F.when(
        kind.isNull() | ~kind.startswith("OBJECT"),
        F.concat(F.lit("not a JSON object but "), _plain(kind)),
    )


def _wrong_type(array: Column, name: str, kind: FieldType) -> Column:
    found = F.schema_of_variant(_part(array, f"$[0].{name}"))
    number = found.isin("BIGINT", "DOUBLE", "FLOAT") | found.startswith("DECIMAL")
    fits = {"string": found == "STRING", "long": found == "BIGINT", "double": number}[kind]
    wanted = {"string": "a text", "long": "a whole number", "double": "a number"}[kind]
    return F.when(
        found.isNotNull() & (found != "VOID") & ~fits,
        F.concat(F.lit(f"{name}: expected {wanted}, got "), _plain(found)),
    )


def _plain(kind: Column) -> Column:
    """Return a variant's type in the words of JSON."""
    return (
        F.when(kind.isNull(), "nothing")
        .when(kind.startswith("ARRAY"), "an array")
        .when(kind.startswith("OBJECT"), "an object")
        .when(kind == "STRING", "a text")
        .when(kind == "BOOLEAN", "a boolean")
        .when(kind == "VOID", "null")
        .otherwise("a number")
    )


def _blank_key(parsed: Column, name: str) -> Column:
    blank = parsed[name].isNull() | (F.trim(parsed[name]) == "")
    return F.when(blank, f"{name}: missing or empty")


def _not_finite(parsed: Column, name: str) -> Column:
    value = parsed[name]
    return F.when(F.isnan(value) | (F.abs(value) == float("inf")), f"{name}: not a finite number")

"""Decode: a Kafka record becomes typed fields, or a reason why it cannot be used.

The usual record takes one pass of the JSON parser. Only a record that fails it is looked at again,
to say what was wrong; nothing here throws, whatever the bytes are.

Everything here is SQL text, which Spark reads in one go: an expression built of `Column` objects
costs a call into the JVM for every operator, and took seconds for the whole query.
"""

from __future__ import annotations

from tidegrid.contract.sources import FieldType, Source

#: How much of a rejected value is kept.
SNIPPET_CHARS = 200
#: Strict JSON: what another reader would refuse is refused here too.
_JSON = (
    "map('columnNameOfCorruptRecord', '_corrupt', 'allowSingleQuotes', 'false', "
    "'allowNonNumericNumbers', 'false')"
)


def quoted(text: str) -> str:
    """Return a text as a literal of SQL, whatever is in it."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def text(value: str, encoding: str) -> str:
    """Return the bytes of a record as JSON text; null if they are base64 that cannot be read."""
    if encoding == "base64":
        return f"cast(try_to_binary(cast({value} as string), 'base64') as string)"
    return f"cast({value} as string)"


def parse(json: str, source: Source) -> str:
    """Return the struct of a JSON text; check it with `reason` before using a field."""
    kinds = {**source.fields, **{n: "string" for n, k in source.fields.items() if k == "scalar"}}
    schema = ", ".join(f"{name} {kind}" for name, kind in kinds.items())
    return f"from_json({json}, '{schema}, _corrupt string', {_JSON})"


def field(parsed: str, name: str, source: Source) -> str:
    """Return one field of a parsed record, its key trimmed."""
    return f"trim({parsed}.{name})" if name in source.keys else f"{parsed}.{name}"


def clearly_good(value: str, json: str, parsed: str, source: Source, max_bytes: int) -> str:
    """Say, at little cost, whether a record is one of the usual kind: flat, plain and right.

    Of a record that is not, only `reason` knows whether it can be used: an object inside it or an
    escape in a text is enough to get here.
    """
    good = [
        f"octet_length({value}) <= {max_bytes}",
        f"is_valid_utf8({json})",
        f"{parsed}._corrupt is null",
        # One flat object ends at its first brace.
        f"length({json}) = instr({json}, '}}')",
    ]
    for name, kind in source.fields.items():
        column = f"{parsed}.{name}"
        if kind == "string":
            # The parser takes any value for a text: a text is one that stands in quotes.
            tight, loose = (f"""concat('"{name}":{gap}"', {column}, '"')""" for gap in ("", " "))
            good.append(
                f"({column} is null or contains({json}, {tight}) or contains({json}, {loose}))"
            )
        if kind == "scalar":
            # Most of what is neither begins like that; nothing else in a flat object is left.
            odd = f"{column} in ('true', 'false') or startswith({column}, '[')"
            good.append(f"({column} is null or not ({odd}))")
        if name in source.keys:
            good.append(f"length(trim({column})) > 0")
        if kind == "double":
            good.append(f"({column} is null or abs({column}) < double('infinity'))")
    return f"coalesce({' and '.join(good)}, false)"


def reason(
    value: str, json: str, parsed: str, source: Source, encoding: str, max_bytes: int
) -> str:
    """Return why a record cannot be used, or null if it can."""
    # Parsed again, as variants this time, which keep their types; and inside an array, where a
    # second value behind the first is an error.
    array = f"try_parse_json(concat('[', {json}, ']'))"
    size = f"octet_length({value})"
    too_large = f"concat('value too large: ', {size}, ' bytes, at most {max_bytes}')"
    reasons = [
        _when(f"{value} is null", "'no value: a tombstone'"),
        _when(f"{size} = 0", "'empty value'"),
        _when(f"{size} > {max_bytes}", too_large),
        _when(f"{json} is null", quoted(f"not {encoding}")),
        _when(f"not is_valid_utf8({json})", "'not valid UTF-8'"),
        _when(f"{array} is null", "'not JSON'"),
        _when(f"{_part(array, '$[1]')} is not null", "'not JSON: more than one value'"),
        _not_an_object(array),
        *(_wrong_type(array, name, kind) for name, kind in source.fields.items()),
        *(_blank_key(parsed, name) for name in source.keys),
        *(_not_finite(parsed, name) for name, kind in source.fields.items() if kind == "double"),
        _when(f"{parsed}._corrupt is not null", "'not JSON that can be read'"),
    ]
    return f"coalesce({', '.join(reasons)})"


def snippet(value: str) -> str:
    """Return the start of a value as text, whatever its bytes are."""
    start = f"cast(substring({value}, 1, {4 * SNIPPET_CHARS}) as string)"
    return f"substring(make_valid_utf8({start}), 1, {SNIPPET_CHARS})"


def _when(condition: str, value: str) -> str:
    return f"case when {condition} then {value} end"


def _part(variant: str, path: str) -> str:
    return f"try_variant_get({variant}, '{path}', 'variant')"


def _not_an_object(array: str) -> str:
    kind = f"schema_of_variant({_part(array, '$[0]')})"
    return _when(
        f"{kind} is null or not startswith({kind}, 'OBJECT')",
        f"concat('not a JSON object but ', {_plain(kind)})",
    )


def _wrong_type(array: str, name: str, kind: FieldType) -> str:
    found = f"schema_of_variant({_part(array, f'$[0].{name}')})"
    number = f"({found} in ('BIGINT', 'DOUBLE', 'FLOAT') or startswith({found}, 'DECIMAL'))"
    fits, wanted = {
        "string": (f"{found} = 'STRING'", "a text"),
        "scalar": (f"{found} = 'STRING' or {number}", "a text or a number"),
        "long": (f"{found} = 'BIGINT'", "a whole number"),
        "double": (number, "a number"),
    }[kind]
    return _when(
        f"{found} is not null and {found} <> 'VOID' and not ({fits})",
        f"concat('{name}: expected {wanted}, got ', {_plain(found)})",
    )


def _plain(kind: str) -> str:
    """Return a variant's type in the words of JSON."""
    return (
        f"case when {kind} is null then 'nothing' "
        f"when startswith({kind}, 'ARRAY') then 'an array' "
        f"when startswith({kind}, 'OBJECT') then 'an object' "
        f"when {kind} = 'STRING' then 'a text' "
        f"when {kind} = 'BOOLEAN' then 'a boolean' "
        f"when {kind} = 'VOID' then 'null' else 'a number' end"
    )


def _blank_key(parsed: str, name: str) -> str:
    column = f"{parsed}.{name}"
    return _when(f"{column} is null or trim({column}) = ''", f"'{name}: missing or empty'")


def _not_finite(parsed: str, name: str) -> str:
    column = f"{parsed}.{name}"
    return _when(
        f"isnan({column}) or abs({column}) = double('infinity')",
        f"'{name}: not a finite number'",
    )

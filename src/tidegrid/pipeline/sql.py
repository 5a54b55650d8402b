"""SQL text: quoting, and the few expressions that all operators share.

A query is text, which Spark reads in one go: an expression built of `Column` objects costs a call
into the JVM for every operator. Everything that comes from a declaration is quoted here.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence

from pyspark.sql import DataFrame

NANOS_PER_MILLI = 10**6
LONG_MAX = 2**63 - 1
_OFFSET_BITS = 48
#: A record's partition and offset in one number, which no two records of a topic share.
RECORD_ID = f"shiftleft(cast(partition as long), {_OFFSET_BITS}) + offset"
#: When a record was written, in epoch milliseconds. Nanoseconds of it must fit into a long.
WRITTEN = f"least(unix_millis(timestamp), {LONG_MAX // NANOS_PER_MILLI})"
_lock = threading.Lock()


def run(text: str, **frames: DataFrame) -> DataFrame:
    """Return what a query says of some frames, each a table named `tidegrid_` and its name."""
    spark = next(iter(frames.values())).sparkSession
    # The names are those of the session: one query at a time, which is analysed when this returns.
    with _lock:
        for called, frame in frames.items():
            frame.createOrReplaceTempView(f"tidegrid_{called}")
        try:
            return spark.sql(text)
        finally:
            for called in frames:
                spark.catalog.dropTempView(f"tidegrid_{called}")


def steps(named: Mapping[str, str], last: str) -> str:
    """Return a query of named steps, each of which may read those before it."""
    before = ",\n".join(f"{name} AS (\n{text}\n)" for name, text in named.items())
    return f"WITH {before}\n{last}"


def literal(text: str) -> str:
    """Return a text as a literal of SQL, whatever is in it."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def value(given: str | float | bool) -> str:
    """Return a value of a declaration as a literal of SQL."""
    if isinstance(given, bool):
        return "true" if given else "false"
    return (
        f"double('{given!r}')"
        if isinstance(given, float)
        else (literal(given) if isinstance(given, str) else str(given))
    )


def name(text: str) -> str:
    """Return a name as SQL takes any name."""
    return "`" + text.replace("`", "``") + "`"


def struct(fields: Mapping[str, str]) -> str:
    """Return a struct of named expressions."""
    return "named_struct(" + ", ".join(f"{literal(n)}, {e}" for n, e in fields.items()) + ")"


def once(expression: str, called: str, then: str) -> str:
    """Return `then`, in which an expression that is worked out once has a name."""
    return f"get(transform(array({expression}), {called} -> {then}), 0)"


def inside(columns: str) -> str:
    """Return a struct as the inside of a JSON object, without its braces; nulls are left out.

    Its values are never objects, so no brace but the object's own is at its ends.
    """
    return f"trim(BOTH '{{}}' FROM to_json({columns}))"


def to_the_end(columns: str) -> str:
    """Return a struct that is never empty as the end of a JSON object, with its closing brace.

    As bytes it is copied once; `inside` looks at each character.
    """
    return f"cast(substring(cast(to_json({columns}) AS binary), 2) AS string)"


def key_text(values: Sequence[str], *, empty: bool = False) -> str:
    """Return a text that no two lists of values share; of one value it is that value.

    `empty` is whether a value may be null, which then is another one than an empty text.
    """
    if len(values) == 1 and not empty:
        return f"coalesce(cast({values[0]} AS string), '')"
    texts = (f"cast({value} AS string)" for value in values)
    parts = (f"coalesce(concat(length({text}), ':', {text}), '-')" for text in texts)
    return f"concat({', '.join(parts)})"


def order(*longs: str) -> str:
    """Return some numbers as bytes in their order: Spark compares those faster than a struct."""
    # As bytes have no sign, the smallest number begins with zeros.
    return f"concat({', '.join(f'cast({one} ^ {-LONG_MAX - 1} AS binary)' for one in longs)})"


def finite(expression: str) -> str:
    """Return a number as a double; null if JSON has no way to write it."""
    number = f"cast({expression} as double)"
    return f"CASE WHEN abs({number}) < double('infinity') THEN {number} END"


def json_text(text: str) -> str:
    """Return a text as it stands in JSON, as part of a literal of SQL."""
    return literal(json.dumps(text))


def partition(record: str) -> str:
    """Return the partition of a record that has its `id`."""
    return f"cast(shiftright({record}.id, {_OFFSET_BITS}) as int)"


def offset(record: str) -> str:
    """Return the offset of a record that has its `id`."""
    return f"({record}.id & {2**_OFFSET_BITS - 1})"


def slot(record: str, keep: int) -> str:
    """Return the place of a record in an event list, as part of a Kafka key."""
    return f"concat({partition(record)}, '/', {offset(record)} % {keep})"


def cause(record: str, topic: str, end: str = "}") -> str:
    """Return which record caused a row, and when that was written, and so the end of the row.

    `topic` is SQL for the topic as it stands in JSON.
    """
    return (
        f"concat(',\"ts\":', {record}.ts, ',\"topic\":', {topic}, ',\"partition\":', "
        f"{partition(record)}, ',\"offset\":', {offset(record)}, '{end}')"
    )


def row(shows: str, *parts: str) -> str:
    """Return a row as JSON text: which views it is for, then parts that are there or null.

    The last part closes it, as `cause` does.
    """
    *optional, last = parts
    texts = "".join(f", coalesce(concat(',', {part}), '')" for part in optional)
    return f"concat('{{\"tg_shows\":\"', {shows}, '\"'{texts}, {last})"

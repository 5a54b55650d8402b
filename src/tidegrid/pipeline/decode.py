"""Decode: a Kafka record becomes the typed fields of its source, or a reason why it cannot be used.

Nothing here throws, whatever the bytes are.

Steps: `records` (which source, its text), `parsed` (its JSON, one pass of the parser), `fields`
(its columns, as `of_<source>`), `checked` (its time `at`, and its `reason` if it is none).
"""

from __future__ import annotations

from collections.abc import Sequence

from tidegrid.contract.declaration.types import Source
from tidegrid.pipeline import fields, reasons, sql

#: How much of a rejected value is kept.
SNIPPET_CHARS = 200
#: Epoch milliseconds at the moment, for each record: Spark's own clock stands still in a batch.
_CLOCK = "cast(java_method('java.lang.System', 'currentTimeMillis') as bigint)"
#: An arrival this much ahead of our clock, in milliseconds, is a matter of clocks.
AHEAD = 60_000


def steps(
    sources: Sequence[Source], max_bytes: int, born: int, *, headers: bool, clock: bool
) -> dict[str, str]:
    """Return the steps from raw records to checked ones; `born` is the time that none is before.

    `clock` is whether the time a record was seen at is needed for more than its fields.
    Each step copies a record, so fields that are just taken over are not made in one of their own.
    """
    texts = [_text("value", s.encoding) for s in sources]
    kept = "topic, partition, offset, kafka_key, value, ts, id, source, json"
    more = ", headers" if headers else ""
    structs = "".join(
        f", {_each('parsed', s, n, fields.parse('json', s))}" for n, s in enumerate(sources)
    )
    parsed = "".join(f", {sql.name(f'parsed_{s.name}')}" for s in sources)
    made = {s.name: _each("of", s, n, fields.struct(s)) for n, s in enumerate(sources)}
    first = "".join(f", {made[s.name]}" for s in sources if not fields.is_plain(s))
    rest = "".join(f", {made[s.name] if fields.is_plain(s) else fields.of(s)}" for s in sources)
    # What wrote the record may have a clock that is fast.
    fast = f"least(ts, {_CLOCK} + {AHEAD})"
    seen = f"CASE WHEN ts > {born} THEN {fast} ELSE {born} END AS seen"
    found = {
        "records": f"SELECT topic, partition, offset, key AS kafka_key, value, "
        f"{sql.WRITTEN} AS ts, {sql.RECORD_ID} AS id, {_number(sources)} AS source{more} "
        "FROM tidegrid_raw",
        "parsed": f"SELECT {kept}{more}{structs} "
        f"FROM (SELECT *, {fields.by_source(texts)} AS json FROM records)",
    }
    if first:
        found["fields"] = f"SELECT {kept}{more}{parsed}{first}, {seen} FROM parsed"
        seen = "seen"
    elif not clock:
        seen = "ts AS seen"
    before = list(found)[-1]
    found["checked"] = (
        f"SELECT {kept}{rest}, {seen}, {fields.by_source(map(fields.at, sources))} AS at, "
        f"{fields.by_source(reasons.reason(s, max_bytes) for s in sources)} AS reason FROM {before}"
    )
    return found


def _each(prefix: str, source: Source, number: int, made: str) -> str:
    return f"CASE WHEN source = {number} THEN {made} END AS {sql.name(f'{prefix}_{source.name}')}"


def _number(sources: Sequence[Source]) -> str:
    cases = " ".join(f"WHEN {sql.literal(s.topic)} THEN {n}" for n, s in enumerate(sources))
    return f"CASE topic {cases} END" if len(sources) > 1 else "0"


def _text(value: str, encoding: str) -> str:
    """Return the bytes of a record as JSON text; null if they are base64 that cannot be read."""
    if encoding == "base64":
        return f"cast(try_to_binary(cast({value} as string), 'base64') as string)"
    return f"cast({value} as string)"


def snippet(value: str) -> str:
    """Return the start of a value as text, whatever its bytes are."""
    start = f"cast(substring({value}, 1, {4 * SNIPPET_CHARS}) as string)"
    return f"substring(make_valid_utf8({start}), 1, {SNIPPET_CHARS})"

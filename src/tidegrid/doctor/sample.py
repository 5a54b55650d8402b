"""Sample records: the newest of a source, and whether the pipeline will be able to use them."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Sequence

from tidegrid.contract import records, values
from tidegrid.contract.declaration.types import Source
from tidegrid.contract.records import Look
from tidegrid.doctor import kafka_keys
from tidegrid.doctor.findings import Answer, Problem, shown
from tidegrid.doctor.flows import Declared, Place
from tidegrid.infer import Record, newest
from tidegrid.settings import Settings

#: How many records are looked at, over all partitions.
_RECORDS = 20


def look(settings: Settings, declared: Declared, name: str) -> Answer[None]:
    """Look at the newest records of a source."""
    source = declared.flow.sources[name]
    found = newest(settings.connection, source.topic, _RECORDS)
    places = declared.place(name, "encoding"), declared.place(name, "kafka_key")
    return judge(found, source, settings.pipeline.max_value_bytes, *places)


def judge(
    found: Sequence[Record], source: Source, most_bytes: int, place: Place, of_key: Place
) -> Answer[None]:
    """Say what is to be said of records; the places are where encoding and Kafka key are set."""
    if not found:
        return Answer("no record yet", None, "warning", "produce one to see whether it can be used")
    now = int(time.time() * 1000)

    def look_at(r: Record, source: Source) -> Look:
        return records.look(r.value, source, most_bytes, max(r.timestamp, now), r.key, r.headers)

    looks = [look_at(record, source) for record in found]
    keys = kafka_keys.judge(found, source, look_at, of_key)
    bad = [(r.value, seen) for r, seen in zip(found, looks, strict=True) if seen.problems]
    if not bad:
        there = frozenset[str]().union(*(seen.fields for seen in looks))
        absent = [records.place(f) for name, f in source.fields.items() if name not in there]
        none = f"; none has {shown(', '.join(absent), 100)}" if absent else ""
        return _with(Answer(f"the newest {len(looks)} can be used{none}", None), keys)
    reasons = Counter("; ".join(seen.problems[:3]) for _, seen in bad)
    [(reason, _)] = reasons.most_common(1)
    value = next(value for value, seen in bad if "; ".join(seen.problems[:3]) == reason)
    detail = f"{len(bad)} of the newest {len(looks)} cannot be used: {shown(reason, 200)}"
    start = shown((value or b"")[:240].decode(errors="replace"))
    detail += f": {start}" if start else ""
    fix = advice(value, source.encoding, place) or (
        "see what produces such records; each becomes a row of rejects, and the others go on"
    )
    if len(bad) < len(looks):
        return _with(Answer(detail, None, "warning", fix), keys)
    raise Problem(detail, fix)


def _with(answer: Answer[None], keys: tuple[str, str] | None) -> Answer[None]:
    """Return an answer with what is wrong with the Kafka keys, if anything is."""
    if keys is None:
        return answer
    detail, fix = keys
    fixes = "; ".join(filter(None, (answer.fix, fix)))
    return Answer(f"{answer.detail}; {detail}", None, "warning", fixes)


def advice(value: bytes | None, encoding: str, place: Place) -> str:
    """Return what to do about a record in another form than the source says; empty if it is not.

    It is told by what is inside: an object in the other form.
    """
    if not value:
        return ""
    if encoding == "base64":
        return f"it is JSON, not base64: set {place.to('json')}" if _is_object(value) else ""
    if _is_object(values.unwrapped(value)):
        return f"it is base64 of JSON: set {place.to('base64')}"
    with contextlib.suppress(ValueError, RecursionError):
        [only] = values.parsed(value)
        if isinstance(only, str) and _is_object(values.unwrapped(only.encode())):
            return (
                "it is base64 of JSON, in quotes: have the producer leave out the quotes, "
                f"and set {place.to('base64')}"
            )
    if value[0] == 0 and len(value) > 5:
        return (
            "it begins like a record of a schema registry (Avro, Protobuf or JSON Schema): "
            "have it produced as plain JSON"
        )
    return ""


def _is_object(value: bytes | None) -> bool:
    with contextlib.suppress(ValueError, RecursionError):
        return [type(v) for v in values.parsed(value or b"")] == [dict]
    return False

"""Kafka keys of sample records: whether they are what the source says they are made of.

Nothing else would tell: the records can be used, and a tombstone takes away a row that nobody has.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tidegrid.contract import values
from tidegrid.contract.declaration.toml import quoted
from tidegrid.contract.declaration.types import KafkaKey, Source
from tidegrid.contract.records import Difference, Look
from tidegrid.doctor.findings import shown
from tidegrid.doctor.flows import Place
from tidegrid.infer import Record


def judge(
    found: Sequence[Record],
    source: Source,
    look: Callable[[Record, Source], Look],
    place: Place,
) -> tuple[str, str] | None:
    """Say what is wrong with the Kafka keys of records, and what to do; None if nothing is.

    `place` is where it is set what they are made of.
    """
    others = {i: d[0] for i, r in enumerate(found) if (d := look(r, source).differences)}
    if not others:
        return None
    wrong = next(iter(others.values()))
    field, value, key = map(shown, wrong)
    detail = (
        f"{len(others)} have another Kafka key than kafka_key says: it is {key or 'empty'} where "
        f"{field} is {value}, so a record without a value takes another row away, or none"
    )
    for form in _forms(source):
        said = replace(source, kafka_key=form)
        if not any(look(found[i], said).differences for i in others):
            return detail, f"set {place.written(_written(form))}"
    leave_out = f"leave {place} out: then a record without a value is a reject"
    if _is_in_quotes(wrong):
        return detail, f"have the producer write keys without the quotes of JSON, or {leave_out}"
    return detail, f"name what the Kafka key is made of, or {leave_out}"


def _forms(source: Source) -> Iterator[KafkaKey]:
    """Yield the forms in which a Kafka key can hold the key of a row."""
    yield KafkaKey(source.key, json=True)
    if len(source.key) == 1:
        yield KafkaKey(source.key)


def _written(form: KafkaKey) -> str:
    names = ", ".join(map(quoted, form.fields))
    return f"{{ json = [{names}] }}" if form.json else names


def _is_in_quotes(wrong: Difference) -> bool:
    with contextlib.suppress(ValueError, RecursionError):
        return values.parsed(wrong.kafka_key.encode()) == [wrong.in_record]
    return False

"""Sample records: the doctor's look at a record says what Spark's would, for the same records."""

from __future__ import annotations

import base64
import json

import pytest

from tests.records import ACCOUNTS as ACCOUNT_RECORDS
from tests.records import POSITIONS, TIMES
from tests.records import USERS as USER_RECORDS
from tidegrid.contract.sources import ACCOUNTS, USERS, Source, positions
from tidegrid.doctor import record

#: 2026-11-01T00:00:00Z in milliseconds.
SEEN = 1_793_491_200_000
SYMBOL = positions(("symbol",))


def first(value: bytes | None, source: Source, encoding: str = "json") -> str | None:
    return next(iter(record.look(value, source, encoding, 65536, SEEN).problems), None)


@pytest.mark.parametrize(
    ("value", "wanted", "source"),
    [
        *((v, r, USERS) for v, r in USER_RECORDS),
        *((v, r, ACCOUNTS) for v, r in ACCOUNT_RECORDS),
        *((v, r, SYMBOL) for v, r in POSITIONS),
    ],
)
def test_the_first_problem_is_the_reason_that_spark_gives(
    value: bytes | None, wanted: str | None, source: Source
) -> None:
    found = first(value, source)
    assert (found is None) == (wanted is None), found
    assert wanted is None or (found or "").startswith(wanted)


@pytest.mark.parametrize(("text", "wanted"), TIMES)
def test_times_are_read_as_spark_reads_them(text: str, wanted: int | None) -> None:
    assert record.nanos(text) == wanted


def test_base64_is_unwrapped_when_the_source_says_so() -> None:
    good = base64.b64encode(b'{"userId":"a","name":"n"}')
    assert first(good, USERS, "base64") is None
    assert first(b'{"userId":"a"}', USERS, "base64") == "not base64"
    assert first(base64.b64encode(b"junk"), USERS, "base64") == "not JSON"


def test_every_field_that_is_wrong_is_named() -> None:
    value = json.dumps({"name": 5, "age": "x"}).encode()
    assert record.look(value, USERS, "json", 65536, SEEN).problems == (
        "name: expected a text, got a number",
        "age: expected a whole number, got a text",
        "userId: missing or empty",
    )


def test_keys_of_positions_are_those_of_the_settings() -> None:
    keyed = positions(("cusip", "sourceSystem"))
    assert first(b'{"cusip":"1","_source_system":"s"}', keyed) is None
    assert first(b'{"cusip":"1","sourceSystem":"s"}', keyed) == "_source_system: missing or empty"

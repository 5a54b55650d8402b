"""Records in plain Python: what is said of one is what Spark would say, for the same records."""

from __future__ import annotations

import base64
import json
from dataclasses import replace

import pytest

from tests.support.records import ACCOUNTS as ACCOUNT_RECORDS
from tests.support.records import POSITIONS, TIMES
from tests.support.records import USERS as USER_RECORDS
from tidegrid.contract import records
from tidegrid.contract.declaration.types import Field, KafkaKey, Source
from tidegrid.doctor import flows
from tidegrid.settings import Settings

#: 2026-11-01T00:00:00Z in milliseconds.
SEEN = 1_793_491_200_000
_DECLARED = {name: s for d in flows.declared(Settings()) for name, s in d.flow.sources.items()}
USERS, ACCOUNTS = _DECLARED["users"], _DECLARED["accounts"]
SYMBOL = _DECLARED["positions"]


def first(value: bytes | None, source: Source, key: bytes | None = None) -> str | None:
    found = records.look(value, source, 65536, SEEN, key, {"trace": b"t-1"})
    return next(iter(found.problems), None)


def of(key: str = "id", **fields: Field) -> Source:
    there = {"id": Field("id", path=("id",)), **fields}
    return Source("things", "things", (key,), there)


def said(field: Field, value: object) -> str | None:
    return first(json.dumps({"id": "a", "f": value}).encode(), of(f=field))


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
    assert records.nanos(text) == wanted


def test_base64_is_unwrapped_when_the_source_says_so() -> None:
    coded = replace(USERS, encoding="base64")
    assert first(base64.b64encode(b'{"userId":"a","name":"n"}'), coded) is None
    assert first(b'{"userId":"a"}', coded) == "not base64"
    assert first(base64.b64encode(b"junk"), coded) == "not JSON"


def test_every_field_that_is_wrong_is_named() -> None:
    value = json.dumps({"name": 5, "age": "x"}).encode()
    assert records.look(value, USERS, 65536, SEEN).problems == (
        "name: expected a text, got a number",
        "age: expected a whole number, got a text",
        "userId: missing or empty",
    )


def test_a_field_is_named_as_the_record_has_it() -> None:
    keyed = replace(SYMBOL, key=("cusip", "sourceSystem"))
    assert first(b'{"cusip":"1","_source_system":"s"}', keyed) is None
    assert first(b'{"cusip":"1","sourceSystem":"s"}', keyed) == "_source_system: missing or empty"


def test_a_path_goes_into_objects() -> None:
    nested = of("n", n=Field("n", path=("doc", "a.b")))
    assert first(b'{"id":"x","doc":{"a.b":"y"}}', nested) is None
    assert first(b'{"id":"x","doc":{"a":{"b":"y"}}}', nested) == "doc.a.b: missing or empty"
    assert first(b'{"id":"x","doc":{"a.b":1}}', nested) == "doc.a.b: expected a text, got a number"
    assert first(b'{"id":"x","doc":[1]}', nested) == "doc: expected an object, got an array"
    assert first(b'{"id":"x","doc":null}', nested) == "doc.a.b: missing or empty"


@pytest.mark.parametrize(
    ("field", "value", "wanted"),
    [
        (Field("f", "boolean"), True, None),
        (Field("f", "boolean"), "true", "f: expected a boolean, got a text"),
        (Field("f", "boolean", lenient=True), "TRUE ", None),
        (Field("f", "boolean", lenient=True), "maybe", "f: expected a boolean, got a text"),
        (Field("f", "long", lenient=True), " 12 ", None),
        (Field("f", "long", lenient=True), "1.5", "f: expected a whole number, got a text"),
        (Field("f", "long", lenient=True), 1.5, "f: expected a whole number, got a number"),
        (Field("f", "long", lenient=True), "", "f: expected a whole number, got a text"),
        (Field("f", "double", lenient=True), "-1.5e3", None),
        (Field("f", "double", lenient=True), "1e400", "f: not a finite number"),
        (Field("f", "double", lenient=True), "NaN", "f: not a finite number"),
        (Field("f", "double", lenient=True), "1_000", "f: expected a number, got a text"),
        (Field("f", "json"), {"a": [1]}, None),
        (Field("f", one_of=("A",), trim=True, default="A"), "  ", None),
        (Field("f", one_of=("A", "B")), "C", "f: expected A or B, got C"),
        (Field("f", one_of=("A",), upper=True), "a", None),
        (Field("f", one_of=("A",)), "x" * 30, f"f: expected A, got {'x' * 20}"),
    ],
)
def test_a_field_is_what_its_rules_say(field: Field, value: object, wanted: str | None) -> None:
    assert said(field, value) == wanted


def test_the_kafka_key_and_headers_can_be_fields() -> None:
    source = of("k", k=Field("k", path=("$key",)), t=Field("t", path=("$headers", "trace")))
    found = records.look(b'{"$key":"no"}', source, 65536, SEEN, b"k-1", {"trace": b"t"})
    assert found == records.Look((), frozenset({"k", "t"}))
    assert first(b"{}", source) == "$key: missing or empty"


@pytest.mark.parametrize(
    ("key", "kafka_key", "wanted"),
    [
        (b"a", KafkaKey(("id",)), None),
        (b" ", KafkaKey(("id",)), "id: missing or empty"),
        (None, KafkaKey(("id",)), "id: missing or empty"),
        (b'{"id":"a"}', KafkaKey(("id",), json=True), None),
        (b'{"no":"a"}', KafkaKey(("id",), json=True), "id: missing or empty"),
        (b"[1]", KafkaKey(("id",), json=True), "id: missing or empty"),
        (b"\xff", KafkaKey(("id",), json=True), "id: missing or empty"),
        (b"a", None, "no value: a tombstone"),
    ],
)
def test_a_tombstone_names_its_row_by_the_kafka_key(
    key: bytes | None, kafka_key: KafkaKey | None, wanted: str | None
) -> None:
    assert first(None, replace(of(), kafka_key=kafka_key), key) == wanted


@pytest.mark.parametrize(
    ("field", "json_key", "key", "value", "wanted"),
    [
        (Field("id"), False, b"a", "a", None),
        (Field("id"), False, b" a ", "a", None),
        (Field("id"), False, b'"a"', "a", ("id", "a", '"a"')),
        (Field("id"), False, b"b", "a", ("id", "a", "b")),
        (Field("id"), False, None, "a", ("id", "a", "")),
        (Field("id", upper=True), False, b"a", "A", None),
        (Field("id", "scalar"), False, b"5", 5, None),
        (Field("id", "scalar"), True, b'{"id":"5"}', 5, None),
        (Field("id", "long"), False, b"05", 5, None),
        (Field("id", "long"), False, b'"5"', 5, ("id", "5", '"5"')),
        (Field("id", path=("of", "id")), True, b'{"id":"a"}', "a", None),
        (Field("id", path=("of", "id")), True, b'{"no":"a"}', "a", ("of.id", "a", '{"no":"a"}')),
        (Field("id"), True, b"a", "a", ("id", "a", "a")),
        (Field("id", path=("$key",)), False, b'"a"', "a", None),
    ],
)
def test_a_kafka_key_is_held_against_the_record(
    field: Field, json_key: bool, key: bytes | None, value: object, wanted: tuple[str, ...] | None
) -> None:
    source = Source("t", "t", ("id",), {"id": field}, kafka_key=KafkaKey(("id",), json_key))
    record = json.dumps({"id": value, "of": {"id": value}}).encode()
    looked = records.look(record, source, 65536, SEEN, key)
    assert looked.problems == ()
    assert looked.differences == (() if wanted is None else (wanted,))
    # Without a declaration there is nothing to hold it against.
    alone = replace(source, kafka_key=None)
    assert records.look(record, alone, 65536, SEEN, key).differences == ()


@pytest.mark.parametrize(
    ("seconds", "wanted"),
    [(86400, "a day"), (3600, "an hour"), (7200, "2 hours"), (90, "90 seconds"), (60, "a minute")],
)
def test_how_far_ahead_is_said_in_words(seconds: int, wanted: str) -> None:
    assert records.ahead_text(seconds) == wanted
    ahead = replace(of(at=Field("at", "time")), time=("at",), max_ahead=seconds)
    late = json.dumps({"id": "a", "at": SEEN + 1000 * seconds + 1}).encode()
    assert first(late, ahead) == f"at: more than {wanted} in the future"
    assert first(late.replace(b'"at"', b'"on"'), ahead) is None


@pytest.mark.parametrize("number", ["1e99999999999999999999", "1e999999999", "-1e-9999999999999"])
def test_a_number_beyond_all_bounds_does_no_harm(number: str) -> None:
    value = f'{{"id":"a","d":{number},"t":{number}}}'.encode()
    source = of(d=Field("d", "double"), t=Field("t", "scalar"))
    assert first(value, source) in (None, "d: not a finite number")

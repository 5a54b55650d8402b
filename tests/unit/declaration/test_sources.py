"""What is said about sources, their fields and lookups."""

from __future__ import annotations

import pytest

from tests.unit.declaration.examples import GONE, ORDERS, changed, said
from tidegrid.contract.declaration.names import RESERVED

FIELDS = "sources.orders.fields"


@pytest.mark.parametrize(
    ("place", "value", "line"),
    [
        ("key", GONE, "key: is missing"),
        ("key", [], "key: is empty"),
        ("key", 5, "key: expected a list of names, got 5"),
        ("key", "orderId,", "key: expected a list of names, got 'orderId,'"),
        ("key", ["orderId", "orderId"], "key: 'orderId' is named twice"),
        ("key", ["order"], "key: there is no field 'order'; did you mean 'orderId'?"),
        (
            "key",
            ["net"],
            "key: there is no field 'net'; there are orderId, customerId, channel, amount, paid, ",
        ),
        ("key", ["amount"], "key: 'amount' is of type double; key takes string or scalar or long"),
        ("time", ["channel"], "time: 'channel' is of type string; time takes time"),
        ("time", ["aat"], "time: there is no field 'aat'; did you mean 'at'?"),
        ("max_ahead", "soon", "max_ahead: expected a duration such as '5s', '15m' or '1h', got "),
        ("max_ahead", "900d", "max_ahead: '900d' is longer than a year"),
        ("where", "", "where: expected an expression, got ''"),
        ("where", 5, "where: expected an expression, got 5"),
        ("delete", "x\0", "delete: 'x\\x00' has a character that no text can have"),
        ("delete", "x" * 2001, "delete: is longer than 2,000 characters"),
        (
            "delete",
            "'${env:HOME}' = ''",
            "delete: '${' in an expression that is not a placeholder; leave it out",
        ),
        ("columns", {"net": ""}, "columns.net: expected an expression, got ''"),
        ("encoding", "avro", "encoding: 'avro' is none of json, base64"),
        ("kafka_key", "xyz", "kafka_key: there is no field 'xyz'; there are orderId, customerId"),
        (
            "kafka_key",
            "channel",
            "kafka_key: does not hold orderId, so it does not tell which row to take away; write "
            "{ json = [...] } with every field of the key, or leave it out",
        ),
        ("kafka_key", {"json": []}, "kafka_key.json: is empty"),
        ("kafka_key", {"jsn": ["orderId"]}, "kafka_key.json: is missing"),
        ("kafka_key", 5, "kafka_key: expected a field or { json = ['a', 'b'] }, got 5"),
        ("topic", "a topic", "topic: 'a topic' is not a topic name; it has letters, digits, "),
        ("topic", "..", "topic: '..' is not a topic name"),
        ("topic", "tidegrid.receipts", "topic: 'tidegrid.receipts' is one of Tidegrid's own"),
        ("topic", "__consumer_offsets", "topic: '__consumer_offsets' is one of Kafka's own"),
        ("topic", "", "topic: '' is not a topic name, and other sources of the flow have one; "),
        ("fields", GONE, "fields: is missing; give at least the key, such as { id = "),
    ],
)
def test_a_source_that_cannot_be_used(place: str, value: object, line: str) -> None:
    document = changed(ORDERS, (f"sources.orders.{place}", value))
    assert said(document)[0].startswith(f"f.toml: sources.orders.{line}")


@pytest.mark.parametrize(
    ("field", "line"),
    [
        ("text", ".type: 'text' is none of string, scalar, long, double, boolean, time, json"),
        (5, ": expected a table, got 5"),
        ({"typ": "string"}, ".typ: is unknown; did you mean 'type'?"),
        ({"from": ""}, ".from: '' is no path; write 'a.b' or ['a', 'b']"),
        ({"from": "a..b"}, ".from: 'a..b' is no path; write 'a.b' or ['a', 'b']"),
        ({"from": []}, ".from: [] is no path; write 'a.b' or ['a', 'b']"),
        ({"from": ["a", 5]}, ".from: ['a', 5] is no path; write 'a.b' or ['a', 'b']"),
        ({"from": ["a'\""]}, """.from: ['a\\'"'] is no path; write 'a.b' or ['a', 'b']"""),
        ({"from": ["a"] * 31}, ".from: 31 names are more than 30; write a shorter path"),
        ({"from": "at.zone"}, ": it is inside of 'at', which is read whole; read one of the two"),
        ({"from": "$headers"}, ".from: '$headers' names no header; write '$headers.NAME'"),
        ({"from": "$header.x"}, ".from: there is no '$header'; did you mean '$headers'?"),
        ({"from": "$Key"}, ".from: there is no '$Key'; did you mean '$key'?"),
        ({"from": "$key.a"}, ".from: the Kafka key is read as a text, whole; write '$key'"),
        (
            {"from": "$key", "type": "time"},
            ": $key is a text, not of type time; read it as a string and cast it in a column",
        ),
        ({"type": "double", "default": "x"}, ".default: 'x' is no double"),
        ({"type": "double", "default": "nan"}, ".default: 'nan' is no double"),
        ({"type": "long", "default": "1_0"}, ".default: '1_0' is no long"),
        ({"type": "double", "default": "1_0"}, ".default: '1_0' is no double"),
        ({"type": "long", "default": 1.5}, ".default: 1.5 is no long"),
        ({"type": "long", "default": 2**63}, ".default: 9223372036854775808 is no long"),
        ({"type": "long", "default": True}, ".default: True is no long"),
        ({"type": "boolean", "default": "no"}, ".default: 'no' is no boolean"),
        ({"type": "scalar", "default": float("nan")}, ".default: nan is no scalar"),
        pytest.param(
            {"type": "scalar", "default": 16**6000},
            ".default: a value of type int that is too large to show is no scalar",
            id="thousands of digits",
        ),
        ({"default": 5}, ".default: 5 is no string"),
        ({"type": "time", "default": "now"}, ".default: a field of type time has none; leave it "),
        ({"one_of": ["A"], "default": "B"}, ".default: 'B' is none of A; add it to one_of"),
        ({"one_of": "A"}, ".one_of: expected a list of texts, got 'A'"),
        ({"one_of": ["1"], "type": "long"}, ".one_of: a field of type long has none; it is for "),
        (
            {"one_of": ["a"], "upper": True},
            ".one_of: 'a' never comes, for the field is made upper case; write 'A'",
        ),
        ({"upper": "yes"}, ".upper: expected true or false, got 'yes'"),
        (
            {"trim": True, "type": "long"},
            ".trim: a field of type long has none; it is for string, ",
        ),
        ({"lenient": True}, ".lenient: a field of type string has none; it is for long, double, "),
    ],
)
def test_a_field_that_cannot_be_used(field: object, line: str) -> None:
    document = changed(ORDERS, (f"{FIELDS}.more", field))
    assert said(document)[0].startswith(f"f.toml: {FIELDS}.more{line}")


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_a_reserved_word_is_no_column(name: str) -> None:
    assert said(changed(ORDERS, (f"{FIELDS}.{name}", "string"))) == [
        f"f.toml: {FIELDS}.{name}: {name!r} is a word that Deephaven reserves; call it something "
        "else and say where it is with `from`"
    ]


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("ts", "is a column that every table has"),
        ("Offset", "is a column that every table has"),
        ("generation", "is a column that every table has"),
        ("tg_id", "begins with 'tg_', as Tidegrid's own columns do"),
        ("1st", "is no name"),
        ("a-b", "is no name"),
        ("größe", "is no name"),
        ("x" * 101, "is no name"),
    ],
)
def test_a_column_has_a_plain_name_of_its_own(name: str, what: str) -> None:
    for place in (FIELDS, "sources.orders.columns"):
        (line,) = said(changed(ORDERS, (f"{place}.{name}", "string")))
        assert what in line
        assert line.startswith(f"f.toml: {place}.")


def test_columns_that_differ_in_case_only_are_the_same() -> None:
    document = changed(
        ORDERS, (f"{FIELDS}.Amount", "string"), ("sources.orders.columns.paid", "true")
    )
    assert said(document) == [
        f"f.toml: {FIELDS}.Amount: there is {FIELDS}.amount already; choose another name",
        f"f.toml: sources.orders.columns.paid: there is {FIELDS}.paid already; choose another name",
    ]


def test_topics_are_named_once_and_for_all_sources_or_none() -> None:
    assert said(changed(ORDERS, ("sources.customers.topic", "shop.orders"))) == [
        "f.toml: sources.customers.topic: 'shop.orders' is the same topic as of 'orders'; one "
        "source can serve several views"
    ]
    none = changed(ORDERS, ("sources.customers.topic", ""), ("sources.orders.topic", GONE))
    assert said(none) == []


def test_a_source_that_nothing_uses_is_told() -> None:
    document = changed(ORDERS, ("views.customers_live", GONE), ("screens.named", GONE))
    assert said(document) == [
        "f.toml: sources.customers: nothing uses this source; add a view such as latest = "
        '"customers"'
    ]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (("views.orders_live.lookup", "towns"), ""),
        (("views.orders_live", {"latest": "orders"}), "lookups.towns: nothing uses this lookup; "),
        (("views.orders_live.lookup", "town"), "views.orders_live.lookup: there is no lookup "),
        (("lookups.towns.parquet", GONE), "lookups.towns.parquet: is missing"),
        (("lookups.towns.parquet", ""), "lookups.towns.parquet: is empty"),
        (("lookups.towns.columns", []), "lookups.towns.columns: is empty"),
        (("lookups.towns.columns", ["in"]), "lookups.towns.columns: 'in' is a word that "),
        (
            ("lookups.towns.columns", ["amount"]),
            f"lookups.towns.columns.amount: there is {FIELDS}.amount already; ",
        ),
        (
            ("lookups.towns.on", "chanel"),
            "lookups.towns.on: the source 'orders' has no column 'chanel'; did you mean 'channel'?",
        ),
        (("lookups.towns.on", "amount"), "lookups.towns.on: 'amount' is of type double; a lookup "),
        (("lookups.towns.onn", "x"), "lookups.towns.onn: is unknown; did you mean 'on'?"),
    ],
)
def test_a_lookup_that_cannot_be_used(change: tuple[str, object], line: str) -> None:
    document = changed(
        ORDERS,
        ("lookups.towns", {"parquet": "p", "on": "channel", "columns": ["town"]}),
        ("views.orders_live.lookup", "towns"),
        change,
    )
    lines = said(document)
    assert any(found.startswith(f"f.toml: {line}") for found in lines) if line else lines == []


def test_the_names_in_a_kafka_key_are_different() -> None:
    document = changed(
        ORDERS,
        (f"{FIELDS}.orderId", {"from": "order.id"}),
        (f"{FIELDS}.customerId", {"from": "customer.id"}),
        ("sources.orders.kafka_key", {"json": ["orderId", "customerId"]}),
    )
    assert said(document) == [
        "f.toml: sources.orders.kafka_key: two of its fields are called 'id' in the record, and so "
        "in the Kafka key; name one of them"
    ]


def test_names_that_come_twice_are_told_in_their_order() -> None:
    document = changed(ORDERS, ("sources.orders.key", [*"dcba" * 2, "orderId"]))
    assert [line[-18:-15] for line in said(document)[:4]] == ["'d'", "'c'", "'b'", "'a'"]


def test_a_name_of_any_length_is_told_in_short() -> None:
    held = {"topic": "t", "key": ["id"], "fields": {"id": "string"}}
    document = changed(ORDERS, (f"sources.{'x' * 5000}", held))
    assert all(len(line) < 300 for line in said(document))


def test_a_source_has_no_more_columns_than_a_query_can_hold() -> None:
    fields = dict.fromkeys(("orderId", "channel", *(f"f{n}" for n in range(600))), "string")
    document = changed(ORDERS, ("sources.orders.fields", fields), ("sources.orders.columns", {}))
    assert said(document)[0] == (
        "f.toml: sources.orders.fields: 602 fields and derived columns are more than 500; "
        "leave out what no table shows"
    )

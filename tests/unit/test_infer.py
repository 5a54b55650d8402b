"""Infer: files of made-up businesses, which pass the check and take the records they are of."""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tidegrid.contract import records
from tidegrid.contract.declaration import parse
from tidegrid.contract.declaration.types import KafkaKey, Source
from tidegrid.infer import InferError, Inferred, Record, check_count, infer
from tidegrid.infer.reader import shares

#: 2026-11-01T00:00:00Z in milliseconds.
AT = 1_793_491_200_000


def record(value: object, key: str | None = None, n: int = 0) -> Record:
    coded = None if value is None else json.dumps(value).encode()
    return Record(None if key is None else key.encode(), coded, AT + 1000 * n, {})


def source_of(found: Inferred) -> Source:
    [source] = parse(found.document, found.name, "it").sources.values()
    return source


def made(topic: str, found: Sequence[Record], key: str | None = None) -> Source:
    """Infer a flow, and see that its source takes each of the records."""
    source = source_of(infer(topic, found, key=key))
    for r in found:
        looked = records.look(r.value, source, 2**20, r.timestamp, r.key, r.headers)
        assert (looked.problems, looked.differences) == ((), ()), (r, looked)
    return source


def types(source: Source) -> Mapping[str, str]:
    return {name: field.type for name, field in source.fields.items()}


def test_shipments_have_nested_places_and_numbers_as_text() -> None:
    rng = random.Random(1)
    found = [
        record(
            {
                "shipment no": f"S-{rng.randrange(40)}",
                "from": {"city": "Rotterdam", "zip": "01234"},
                "weight": rng.choice(["12.5", "7"]),
                "parcels": rng.randrange(1, 9),
                "insured": rng.choice([10, 9.5]),
                "code": rng.choice(["x", 5]),
                "tags": ["a"],
                "in": True,
                "eta": "2026-12-01",
                "updated_at": AT + 1000 * n - 60_000,
                "note": None,
            },
            n=n,
        )
        for n in range(100)
    ]
    source = made("logistics.shipments", found)
    assert types(source) == {
        "shipment_no": "string",
        "from_city": "string",
        "from_zip": "string",
        "weight": "double",
        "parcels": "long",
        "insured": "double",
        "code": "scalar",
        "tags": "json",
        "record_in": "boolean",
        "eta": "time",
        "updated_at": "time",
    }
    assert source.fields["weight"].lenient
    assert source.fields["from_zip"].path == ("from", "zip")
    assert (source.key, source.time) == (("shipment_no",), ("updated_at",))


def test_the_file_says_what_was_seen() -> None:
    found = [record({"id": f"a{n % 9}", "price": n, "on": n % 2 == 0}) for n in range(20)]
    made = infer("shop.items", [*found, Record(None, b"junk", AT, {}), record(None)])
    assert 'id = "string"   # in all 20; 9 different, such as a0, a1, a2\n' in made.text
    assert "# in all 20; 0 to 19; whole so far; by its name it may have a fraction\n" in made.text
    assert "# in all 20; true in 10\n" in made.text
    assert "# 1 more cannot be used: not JSON.\n" in made.text
    assert "1 more have no value: they are rejects" in made.text
    assert made.document["columns"]["price"] == {"format": "money"}
    assert any(note.startswith("key id: likely") for note in made.notes)
    assert list(made.document["views"]) == ["shop_items_latest", "shop_items_events"]


def test_sensors_without_an_id_are_told_apart_by_the_kafka_key() -> None:
    found = [
        record({"temp": 20 + n / 10, "ts": AT // 1000 + n}, f"s-{n % 7}", n) for n in range(60)
    ]
    source = made("sensors", found)
    assert source.fields[source.key[0]].path == ("$key",)
    assert infer("sensors", found).document["columns"][source.key[0]]["label"] == "Kafka key"
    assert source.kafka_key == KafkaKey(source.key)
    assert source.fields[source.time[0]].path == ("ts",)


def test_payments_have_the_kafka_key_as_a_field() -> None:
    found = [
        record({"eventId": str(n), "account": "a", "paymentId": f"p{n // 3}"}, f"p{n // 3}")
        for n in range(30)
    ]
    source = made("payments", [*found, record(None, "p1")])
    assert (source.key, source.kafka_key) == (("paymentId",), KafkaKey(("paymentId",)))


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("topic", ["shop.payments", "payments.by.customer", "t"])
def test_a_kafka_key_that_repeats_beside_a_unique_id_only_partitions(
    topic: str, as_json: bool
) -> None:
    def payment(n: int) -> Record:
        customer = f"c{n % 7}"
        key = json.dumps({"customerId": customer}) if as_json else customer
        return record({"customerId": customer, "paymentId": f"p{n}", "amount": 1.5}, key, n)

    found = [payment(n) for n in range(40)]
    source = made(topic, found)
    assert (source.key, source.kafka_key) == (("paymentId",), None)
    [said] = [n for n in infer(topic, found).notes if n.startswith("key paymentId: ")]
    assert "sure" not in said
    assert "the Kafka key is not: 7 different in 40 records, so it only partitions them" in said


def test_a_kafka_key_that_is_in_no_field_may_partition_too() -> None:
    found = [record({"ref": f"p{n}", "amount": 1.5}, f"c{n % 7}", n) for n in range(40)]
    assert made("payments", found).key == ("ref",)


def test_how_sure_a_kafka_key_is_depends_on_the_ids_beside_it() -> None:
    def said(*more: str) -> str:
        values = [
            {"userId": f"u{n % 7}", **{name: f"{name}{n}" for name in more}} for n in range(40)
        ]
        found = [record(v, v["userId"]) for v in values]
        source = made("users", found)
        assert (source.key, source.kafka_key) == (("userId",), KafkaKey(("userId",)))
        return infer("users", found).notes[0]

    assert said().startswith("key userId: sure (it is the Kafka key; ")
    # An id of the event says nothing against it, and one of something else little.
    assert said("eventId").startswith("key userId: likely (it is the Kafka key; ")
    assert said("addressId").startswith("key userId: likely (it is the Kafka key; ")
    assert "addressId is different in each of 40 records" in said("addressId")


@pytest.mark.parametrize("keyed", [False, True])
def test_a_date_is_the_key_where_there_is_a_row_for_each(keyed: bool) -> None:
    days = [f"2026-01-{n + 1:02d}" for n in range(28)]
    found = [record({"date": d, "rate": 1.2, "note": "x"}, d if keyed else None) for d in days]
    source = made("rates", found)
    assert (source.key, source.fields["date"].type, source.time) == (("date",), "string", ())
    assert source.kafka_key == (KafkaKey(("date",)) if keyed else None)
    text = infer("rates", found).text
    assert "# in all 28; 28 different, such as 2026-01-01, 2026-01-02, 2026-01-03; kept" in text
    # A correction comes under the date that it is of.
    assert made("rates", [record({"date": d, "rate": 1.2}) for d in (*days, *days)]).key == (
        "date",
    )


def test_a_date_is_no_key_where_a_field_is() -> None:
    days = [f"2026-01-{n + 1:02d}" for n in range(28)]
    machines = [record({"machine": f"m{n}", "installed": d}) for n, d in enumerate(days)]
    assert made("machines", machines).key == ("machine",)
    orders = [record({"orderId": f"o{n}", "date": d}) for n, d in enumerate(days)]
    assert made("orders", orders).key == ("orderId",)
    by_day = [record({"orderId": f"o{n}", "date": days[n % 5]}, days[n % 5]) for n in range(28)]
    assert made("t", by_day).key == ("orderId",)
    rates = [record({"date": d, "currency": c}) for d in days for c in ("EUR", "USD")]
    source = made("rates", rates)
    assert (source.key, source.fields["date"].type) == (("currency",), "time")


@pytest.mark.parametrize(
    ("values", "kind"),
    [(["2026-01-02T10:00:00Z"], "string"), ([AT], "long"), ([AT, "2026-01-02"], "scalar")],
)
def test_a_time_that_is_asked_for_as_the_key_is_no_time(values: list[object], kind: str) -> None:
    found = [record({"at": v, "id": "a"}) for v in values * 10]
    source = made("t", found, key="at")
    assert (source.key, source.fields["at"].type) == (("at",), kind)


def test_a_json_kafka_key_is_a_key_of_several_fields() -> None:
    found = [
        record(
            {"desk": f"d{n % 3}", "book": n % 4}, json.dumps({"desk": f"d{n % 3}", "book": n % 4})
        )
        for n in range(24)
    ]
    source = made("risk", [*found, record(None, '{"desk":"d0","book":1}')])
    assert (source.key, source.kafka_key) == (
        ("desk", "book"),
        KafkaKey(("desk", "book"), json=True),
    )


@pytest.mark.parametrize("wrapped", [True, False])
def test_debezium_deletes_name_their_row_by_the_kafka_key(wrapped: bool) -> None:
    def change(n: int) -> Record:
        after = None if n % 5 == 4 else {"id": n % 8, "total": "12.50"}
        payload = {"before": None, "after": after, "op": "u" if after else "d", "ts_ms": AT + n}
        payload["source"] = {"db": "shop"}
        value = {"schema": {}, "payload": payload} if wrapped else payload
        return record(value, json.dumps({"id": n % 8}), n)

    source = made("db.shop.orders", [*map(change, range(40)), record(None, '{"id": 1}')])
    assert source.fields[source.key[0]].path == ("$key",)
    assert source.delete == "op = 'd'"
    assert source.fields["total"].path[-2:] == ("after", "total")
    # A tombstone has no `ts_ms`, and must not win over what was written after it.
    assert source.time == ()
    assert source.fields["ts_ms"].type == "time"


def test_flattened_debezium_records_say_that_they_delete() -> None:
    found = [record({"id": n % 8, "__deleted": "false"}, n=n) for n in range(20)]
    source = made("orders", found)
    assert (source.key, source.delete) == (("id",), "deleted = 'true'")


def test_cloud_events_have_their_data_and_their_time() -> None:
    def event(n: int) -> dict[str, Any]:
        at = f"2026-10-31T23:{n:02d}:00Z"
        data = {"ticket": f"T{n % 9}", "state": "open", "seats": n}
        return {
            "specversion": "1.0",
            "id": str(n),
            "source": "/x",
            "type": "t",
            "time": at,
            "data": data,
        }

    source = made("support.tickets", [record(event(n), n=n) for n in range(30)])
    assert (source.key, source.time) == (("ticket",), ("event_time",))
    assert source.fields["seats"].path == ("data", "seats")
    assert {"event_type", "event_id", "event_source"} < set(source.fields)


def test_cloud_events_in_binary_mode_have_headers() -> None:
    headers = {"ce_specversion": b"1.0", "ce_id": b"1", "ce_source": b"/x", "ce_type": b"t"}
    found = [record({"ticketId": f"T{n % 4}"})._replace(headers=headers) for n in range(20)]
    source = made("tickets", found)
    assert source.fields["event_type"].path == ("$headers", "ce_type")
    assert source.key == ("ticketId",)


def test_base64_is_recognised() -> None:
    found = [record({"id": f"a{n % 4}"}) for n in range(20)]
    coded = [r._replace(value=base64.b64encode(r.value or b"")) for r in found]
    assert made("coded", coded).encoding == "base64"


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ([AT // 1000, AT // 1000 + 1], "time"),
        ([AT, AT + 1], "time"),
        ([AT * 1000, AT * 1000 + 1], "time"),
        ([AT * 10**6, AT * 10**6 + 1], "time"),
        ([str(AT), str(AT + 1)], "time"),
        (["2026-10-31T00:00:00+02:00", "2026-10-31 00:00:00"], "time"),
        (["2026-10-31", "soon"], "string"),
        ([1, 2], "long"),
        ([20261031, 20261101], "long"),
        ([True, "false"], "boolean"),
        ([True, 1], "json"),
        ([{"a": 1}, 5], "json"),
        ([{}, {}], "json"),
        ([1, "x"], "scalar"),
        ([1, "2"], "long"),
        (["1", ""], "string"),
        ([2**70, 1], "scalar"),
    ],
)
def test_a_type_is_one_that_takes_all_values(values: list[object], wanted: str) -> None:
    found = [record({"id": f"a{n % 3}", "at": values[n % 2]}) for n in range(20)]
    assert made("things", found).fields["at"].type == wanted


def test_a_map_is_kept_as_json() -> None:
    found = [record({"id": f"a{n % 3}", "by_user": {f"u{n}": 1}}) for n in range(40)]
    assert made("things", found).fields["by_user"].type == "json"


def test_a_key_can_be_asked_for() -> None:
    found = [record({"id": str(n), "of": {"desk": f"d{n % 3}"}, "px": 1.5}) for n in range(20)]
    assert made("trades", found, key="of.desk, id").key == ("of_desk", "id")
    with pytest.raises(InferError, match=r"--key des: no such field; there are of_desk"):
        infer("trades", found, key="des")
    with pytest.raises(InferError, match="a double cannot be a key"):
        infer("trades", found, key="px")


def test_what_can_be_no_flow_is_refused_with_what_was_seen() -> None:
    for found, said in [
        ([], "has no records"),
        ([Record(None, b"\0\0\0\0\x07\x02abc", AT, {})], "schema registry"),
        ([Record(None, b"[1]", AT, {}), record(None)], "1 of 2 not a JSON object but an array"),
        ([record({"px": 1.5})], "nothing tells one row from another"),
    ]:
        with pytest.raises(InferError, match=said):
            infer("topic", found)
    with pytest.raises(InferError, match="Tidegrid's own"):
        infer("tidegrid.control", [record({"id": "a"})])
    assert made("topic", [record({"px": 1.5}, "k")]).key == ("row_key",)


def test_no_more_than_two_hundred_fields_are_written() -> None:
    found = [
        record(
            {f"f{i}": f"v{n % 3}" for i in range(99)}
            | {f"o{j}": {f"f{i}": 1 for i in range(99)} for j in range(2)}
        )
        for n in range(20)
    ]
    made = infer("wide", found)
    assert len(source_of(made).fields) == 200
    assert made.text.count("# Left out: ") == 97


@pytest.mark.parametrize("count", [0, 19, 1001])
def test_a_number_of_records_that_cannot_be_looked_at_is_refused(count: int) -> None:
    with pytest.raises(InferError, match=f"--records {count}: choose a number from 20 to 1000"):
        check_count(count)
    check_count(20)
    check_count(1000)


def test_records_are_taken_evenly_where_partitions_have_enough() -> None:
    assert shares({0: 5, 1: 1000, 2: 1000, 3: 0}, 200) == {0: 5, 1: 97, 2: 98}
    assert sum(shares(dict.fromkeys(range(500), 9), 200).values()) == 200


def test_a_key_is_found_behind_hundreds_of_fields() -> None:
    many = {f"f{n}": n for n in range(400)}
    found = [record({**many, "orderId": f"O{n % 7}"}, n=n) for n in range(20)]
    source = made("shop.orders", found)
    assert (source.key, len(source.fields)) == (("orderId",), 200)


def test_an_id_that_is_named_after_the_topic_comes_before_any_other() -> None:
    found = [record({"symbol": f"S{n % 9}", "tradeId": f"{n:032x}"}, n=n) for n in range(50)]
    assert made("market.trades", found).key == ("tradeId",)
    assert made("market.quotes", found).key == ("symbol",)


def test_what_is_the_same_everywhere_tells_no_rows_apart() -> None:
    found = [record({"plantId": "north", "machine": f"m{n}"}, n=n) for n in range(20)]
    assert made("t", found).key == ("machine",)


def test_an_id_that_looks_like_a_time_is_an_id() -> None:
    found = [record({"orderId": AT + n % 7, "at": AT + 1000 * n}, n=n) for n in range(20)]
    source = made("shop.orders", found)
    assert (source.key, source.time) == (("orderId",), ("at",))


def test_of_two_times_the_one_nearer_to_the_writing_counts() -> None:
    values = [
        {"id": f"a{n % 7}", "placedAt": AT + 1000 * n - 60_000, "sentAt": AT + 1000 * n}
        for n in range(20)
    ]
    assert made("t", [record(v, n=n) for n, v in enumerate(values)]).time == ("sentAt",)


def test_seconds_since_1970_are_no_date() -> None:
    found = [record({"id": "a", "at": AT // 1000 + n, "day": "2026-11-01"}, n=n) for n in range(9)]
    columns = infer("t", found).document["columns"]
    assert (columns["at"]["format"], columns["day"]["format"]) == ("time", "date")


def test_kafka_keys_that_are_no_texts_tell_no_rows_apart() -> None:
    found = [record({"v": 1.5}, n=n)._replace(key=bytes([0, 200 + n])) for n in range(20)]
    with pytest.raises(InferError, match="not all have a Kafka key that is a text"):
        infer("t", found)


def test_what_a_file_cannot_name_is_left_out_and_told() -> None:
    found = infer("t", [record({"id": "a", "": 1, "both'\"": 2})] * 3)
    assert list(source_of(found).fields) == ["id"]
    assert found.notes[-2:] == (
        "left out a field without a name: a name that a flow file cannot hold",
        "left out both'\": a name that a flow file cannot hold",
    )

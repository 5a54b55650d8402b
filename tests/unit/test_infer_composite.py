"""Infer, where a column is only half of a key, and where it only looks like that."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence

import pytest

from tests.unit.test_infer import made, record
from tidegrid.contract.declaration.types import KafkaKey
from tidegrid.infer import Record, infer

Keyed = Callable[[object], str | None]
#: How the Kafka key may say what the first half is, or say nothing.
KEYS: Sequence[Keyed] = (str, lambda v: json.dumps({"orderId": v}), json.dumps, lambda _: None)


def said(topic: str, found: Sequence[Record]) -> str:
    return next(note for note in infer(topic, found).notes if note.startswith("key "))


def order_lines(key: Keyed, count: int = 200) -> list[Record]:
    """Make lines of orders, one to five of each, written one after the other."""
    rng = random.Random(1)
    places = [(f"o{o}", n + 1) for o in range(count) for n in range(rng.randrange(1, 6))]
    return [
        record({"orderId": o, "lineNo": n, "productId": f"p{rng.randrange(90)}"}, key(o), i)
        for i, (o, n) in enumerate(places[:count])
    ]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("topic", ["shop.orders", "shop.order.lines", "lines", "t"])
def test_an_order_line_is_told_apart_by_its_order_and_its_number(topic: str, key: Keyed) -> None:
    found = order_lines(key)
    source = made(topic, found)
    assert (source.key, source.kafka_key) == (("orderId", "lineNo"), None)
    why = said(topic, found)
    assert why.startswith("key orderId, lineNo: likely (")
    assert "does not tell rows apart: " in why
    assert "with lineNo it does" in why


def test_a_tombstone_of_a_whole_order_is_a_reject_and_that_is_told() -> None:
    notes = infer("shop.orders", [*order_lines(str), record(None, "o1")]).notes
    assert any("1 more have no value: they are rejects" in note for note in notes)


def test_an_order_that_is_in_the_kafka_key_alone_is_half_of_the_key() -> None:
    for topic in ("t", "lines"):
        found = [record({"lineNo": n % 3 + 1, "price": 1.5}, f"o{n // 3}", n) for n in range(60)]
        source = made(topic, found)
        assert (source.key, source.kafka_key) == (("row_key", "lineNo"), None)
        assert source.fields["row_key"].path == ("$key",)


def test_an_id_of_the_event_is_no_half_of_the_key() -> None:
    values = [
        {"eventId": f"e{n}", "uuid": f"{n:032x}", "orderId": f"o{n // 3}", "lineNo": n % 3 + 1}
        for n in range(60)
    ]
    found = [record(v, str(v["orderId"]), n) for n, v in enumerate(values)]
    assert made("shop.orders", found).key == ("orderId", "lineNo")


@pytest.mark.parametrize("name", ["lineNo", "line_seq", "item_number", "productId", "sku"])
def test_what_tells_the_lines_of_an_order_apart_may_have_many_names(name: str) -> None:
    values = [{"orderId": f"o{n % 40}", name: f"x{n // 40 + n % 5}"} for n in range(160)]
    found = [record(v, v["orderId"], n) for n, v in enumerate(values)]
    assert made("shop.orders", found).key == ("orderId", name)


def test_a_line_that_was_corrected_is_a_line_still() -> None:
    found = order_lines(str)
    assert made("shop.orders", [*found, *found[40:50]]).key == ("orderId", "lineNo")


@pytest.mark.parametrize(
    "name", ["version", "rev", "revision", "seq", "sequenceNo", "versionNumber", "updateNo"]
)
@pytest.mark.parametrize("in_turn", [True, False])
def test_a_version_is_no_part_of_the_key(name: str, in_turn: bool) -> None:
    def thing(n: int) -> tuple[int, int]:
        return (n % 40, n // 40) if in_turn else (n // 5, n % 5)

    values = [{"thingId": f"a{t}", name: v + 1, "x": n} for n in range(200) for t, v in [thing(n)]]
    found = [record(v, str(v["thingId"]), n) for n, v in enumerate(values)]
    source = made("things", found)
    assert (source.key, source.kafka_key) == (("thingId",), KafkaKey(("thingId",)))
    assert said("things", found).startswith("key thingId: sure (")


def test_a_number_without_such_a_name_is_a_version_if_it_grows_as_time_passes() -> None:
    values = [{"thingId": f"a{n % 40}", "no": n // 40 + 1} for n in range(200)]
    found = [record(v, str(v["thingId"]), n) for n, v in enumerate(values)]
    assert made("things", found).key == ("thingId",)
    assert "no changes within it" in said("things", found)
    # The same numbers, written together, count what a thing has.
    values.sort(key=lambda v: str(v["thingId"]))
    found = [record(v, str(v["thingId"]), n) for n, v in enumerate(values)]
    assert made("things", found).key == ("thingId", "no")


def test_what_a_thing_has_at_the_time_is_no_part_of_its_key() -> None:
    rng = random.Random(2)
    values = [
        {
            "deviceId": f"d{rng.randrange(90)}",
            "statusCode": rng.randrange(900),
            "shopId": f"s{rng.randrange(50)}",
        }
        for _ in range(200)
    ]
    found = [record(v, str(v["deviceId"]), n) for n, v in enumerate(values)]
    assert made("devices", found).key == ("deviceId",)
    assert said("devices", found).startswith("key deviceId: likely (it is the Kafka key; ")
    assert "shopId changes within it" in said("devices", found)


def test_kafka_keys_in_the_quotes_of_json_are_still_seen() -> None:
    values = [{"thingId": f"a{n % 9}", "x": n} for n in range(40)]
    found = [record(v, json.dumps(v["thingId"]), n) for n, v in enumerate(values)]
    source = made("things", found)
    # `kafka_key = "thingId"` would say that the quotes are in the field too.
    assert (source.key, source.kafka_key) == (("thingId",), None)
    assert said("things", found).startswith("key thingId: sure (it is the Kafka key; ")
    assert "in the quotes of JSON" in said("things", found)


def test_where_there_are_tombstones_a_kafka_key_in_quotes_is_the_key_as_it_is() -> None:
    values = [{"thingId": f"a{n % 9}", "x": n} for n in range(40)]
    found = [record(v, json.dumps(v["thingId"]), n) for n, v in enumerate(values)]
    source = made("things", [*found, record(None, '"a1"', 50)])
    assert (source.key, source.kafka_key) == (("row_key",), KafkaKey(("row_key",)))
    assert source.fields["row_key"].path == ("$key",)

"""A look at a topic: what is shown of records, the flow that is made, what is said of changes."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest

from tidegrid.contract.declaration import parse
from tidegrid.contract.declaration.types import Flow
from tidegrid.errors import KafkaError
from tidegrid.infer import Record
from tidegrid.infer.look import SHOWN, Look, check, free_name, of_records
from tidegrid.infer.one_record import Place, Whole, absence, another, place_of
from tidegrid.infer.one_record import shown as shown_whole

AT = 1_793_491_200_000


def records(count: int = 100) -> list[Record]:
    return [
        Record(
            f"o{n % 9}".encode(),
            json.dumps({"orderId": f"o{n % 9}", "amount": n / 4, "at": AT + n}).encode(),
            AT + n,
            {"trace": b"t" * 500},
            n % 2,
            n // 2,
        )
        for n in range(count)
    ]


def looked(found: list[Record] | None = None, flows: dict[str, Flow] | None = None) -> Look:
    return of_records("shop.orders", records() if found is None else found, flows or {})


def declared(look: Look) -> dict[str, Any]:
    assert look.inferred is not None
    return {"name": look.inferred.name, **json.loads(json.dumps(look.inferred.document))}


def flow_of(document: dict[str, Any]) -> Flow:
    return parse(document, document["name"])


def test_the_newest_records_are_shown_as_they_are_and_cut_short() -> None:
    long = Record(None, b'"' + "ü".encode() * 9000, AT, {}, 0, 7)
    binary = Record(b"\xff\0", b"\0\0\0\0\1abc", AT, {}, 0, 8)
    gone = Record(b"o1", None, -1, {}, 0, 9)
    look = looked([*records(), long, binary, gone])
    assert len(look.records) == SHOWN
    newest, second, third, fourth = look.records[:4]
    assert (newest["key"], newest["value"], newest["at"]) == ("o1", None, -1)
    assert second["value"] == "\0\0\0\0\1abc"
    assert second["key"] == "\ufffd\0"
    assert third["value"] == '"' + "ü" * 2047 + "…"
    assert third["bytes"] == 18_001
    assert (fourth["partition"], fourth["offset"], fourth["key"]) == (1, 49, "o0")
    assert len(fourth["headers"]["trace"]) == 201
    # The whole answer is bounded, whatever the records are.
    assert len(json.dumps(look.records)) < SHOWN * 60_000


def test_a_flow_is_made_that_passes_the_check() -> None:
    look = looked()
    document = declared(look)
    assert flow_of(document).sources["shop_orders"].key == ("orderId",)
    checked = check(json.dumps(document), {}, [], look.inferred)
    assert look.inferred is not None
    assert (checked.text, checked.problems) == (look.inferred.text, ())


def test_records_that_make_no_flow_are_shown_with_the_reason() -> None:
    look = looked([Record(None, b"\0\0\0\0\1abc", AT, {})])
    assert look.inferred is None
    assert "schema registry" in look.problem
    assert len(look.records) == 1
    assert "no records" in looked([]).problem


def test_a_name_that_is_taken_is_not_given_again() -> None:
    first = declared(looked())
    flows = {"shop_orders": flow_of(first)}
    second = declared(looked(flows=flows))
    assert second["name"] == "shop_orders_2"
    assert check(json.dumps(second), flows, flows.values()).problems == ()
    # A flow of another name may have such a table.
    other = flow_of({**first, "name": "other"})
    assert free_name("shop.orders", {"other": other}) == "shop_orders_2"
    assert len(free_name("x" * 90, {"x" * 41: other})) <= 41


def test_a_change_is_written_and_what_is_wrong_has_its_place() -> None:
    look = looked()
    document = declared(look)
    source = document["sources"]["shop_orders"]
    source["fields"]["amount"] = "scalar"
    source["key"] = ["orderNo"]
    checked = check(json.dumps(document), {}, [], look.inferred)
    assert [str(p) for p in checked.problems if "key" in p.place and "kafka" not in p.place] == [
        "sources.shop_orders.key: there is no field 'orderNo'; did you mean 'orderId'?"
    ]
    written = tomllib.loads(checked.text)
    assert written["sources"] == document["sources"]
    assert 'amount = "scalar"\n' in checked.text
    assert 'orderId = "string"   # in all 100; 9 different' in checked.text
    assert "# Key:" not in checked.text


def test_names_of_flows_and_tables_that_are_there_are_problems() -> None:
    document = declared(looked())
    flows = {"shop_orders": flow_of(document)}
    [name] = check(json.dumps(document), flows, []).problems
    assert (name.place, name.do) == ("name", "choose another name")
    clashing = check(json.dumps({**document, "name": "mine"}), flows, flows.values()).problems
    assert [p.place for p in clashing] == ["views.shop_orders_latest", "views.shop_orders_events"]


def test_anything_can_be_asked() -> None:
    deep = '{"name": "a", "x": ' + "[" * 100_000 + "]" * 100_000 + "}"
    for given in ("", "{", "[]", "5", '{"name": 5}', '"\ud800"', deep, " " * 600_000):
        checked = check(given, {}, [])
        assert len(checked.problems) == 1
        assert checked.text == ""
    many = check(json.dumps({"name": "a", **{f"k{n}": n for n in range(500)}}), {}, [])
    assert len(many.problems) == 50


def test_the_place_of_a_record_is_two_numbers_that_kafka_can_have() -> None:
    assert place_of("orders", "0", "12") == Place("orders", 0, 12)
    assert place_of("orders", str(2**31 - 1), str(2**63 - 1)).offset == 2**63 - 1
    for wrong in ("-1", "+1", "1.5", "1e3", "a", " 1", "1\n", "٣", "9" * 5000):
        with pytest.raises(KafkaError, match="no whole number from 0"):
            place_of("orders", wrong, "0")
        with pytest.raises(KafkaError, match="no whole number from 0"):
            place_of("orders", "0", wrong)
    with pytest.raises(KafkaError, match=f"offset '{2**63}' is no whole number"):
        place_of("orders", "0", str(2**63))
    with pytest.raises(KafkaError, match=f"partition '{2**31}' is no whole number"):
        place_of("orders", str(2**31), "0")
    for partition, offset, name in (("", "5", "partition"), ("5", "", "offset")):
        with pytest.raises(KafkaError, match=f"the {name} is missing"):
            place_of("orders", partition, offset)


def test_a_record_that_kafka_does_not_have_is_told_from_one_that_it_has() -> None:
    place = Place("orders", 0, 12)
    gone = "offset 12 of partition 0 of orders is gone: Kafka has removed it"
    assert absence(place, 0, 13) == absence(place, 12, 13) == ""
    assert absence(place, 40, 50) == f"{gone}; the partition now begins at offset 40"
    assert absence(place, 0, 12) == (
        "offset 12 of partition 0 of orders is not there yet: the partition ends before offset 12"
    )
    # A read at an offset that compaction has removed comes to a later one, or to the end.
    assert another(place, 12) == ""
    assert another(place, 14).startswith(gone)
    assert another(place, 14).endswith("the next record is at offset 14")
    assert another(place, None).endswith("no record follows")


def test_one_record_is_shown_whole_with_every_header() -> None:
    place = Place("orders", 1, 2**63 - 1)
    headers = [("trace", b"1"), ("trace", b"2"), ("none", None), ("odd", b"\xff")]
    value = "ü".encode() * 9000
    found = shown_whole(place, Whole(b"o1", value, AT, headers))
    assert (found["partition"], found["offset"]) == (1, 2**63 - 1)
    assert (found["key"], found["value"], found["at"]) == ("o1", "ü" * 9000, AT)
    assert (found["bytes"], found["cut"]) == (18_000, False)
    assert json.loads(json.dumps(found["headers"])) == [
        *(["trace", "1"], ["trace", "2"], ["none", None], ["odd", "\ufffd"])
    ]


def test_one_record_is_bounded_whatever_it_is() -> None:
    place = Place("orders", 0, 1)
    many = [("h" * 9000, b"\0" * 9000)] * 500
    large = shown_whole(place, Whole(b"\0" * 10**6, b"\0" * 10**6, -1, many))
    assert (large["bytes"], large["cut"]) == (10**6, True)
    assert large["value"].endswith("…")
    assert len(json.dumps(large)) < 1_500_000
    tombstone = shown_whole(place, Whole(None, None, AT))
    assert (tombstone["key"], tombstone["value"], tombstone["cut"]) == (None, None, False)

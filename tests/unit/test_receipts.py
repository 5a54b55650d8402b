"""Receipts: to JSON and back, and which one counts."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidegrid.contract import receipts
from tidegrid.contract.lifecycle import State
from tidegrid.contract.receipts import FORMAT, Ledger, Receipt, Takeover, flow_of, layout_of
from tidegrid.contract.wire import Malformed
from tidegrid.settings import Settings

CUSTOMERS = Settings().declared()["customers"]
LONGS = st.integers(-(2**63), 2**63 - 1)
COUNTS = st.dictionaries(st.text(max_size=3), LONGS, max_size=3)
OFFSETS = st.dictionaries(st.text(max_size=5), COUNTS, max_size=3)
RECEIPTS = st.builds(
    Receipt,
    flow=st.text(max_size=5),
    generation=LONGS,
    state=st.sampled_from(get_args(State)),
    at=st.text(),
    sources=st.dictionaries(st.text(), st.text(), max_size=3),
    join=st.text(),
    start=OFFSETS,
    end=OFFSETS,
    rows=COUNTS,
    reason=st.text(),
    starting=st.text(),
    control=LONGS,
    before=COUNTS,
    recipe=st.dictionaries(st.text(), st.text(), max_size=3),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


#: A receipt as a version wrote it that knew no declarations.
OLD = {
    "flow": "customers",
    "generation": 3,
    "state": "building",
    "at": "2026-01-01T00:00:00.000+00:00",
    "sources": {"users": "users", "accounts": "accounts"},
    "join": "left",
    "start": {"users": {"0": 0}},
    "end": {"users": {"0": 9}},
    "rows": {},
    "reason": "",
    "starting": "earliest",
    "control": -1,
    "before": {},
    "recipe": {"format": "3", "encoding": "json"},
}


def receipt(generation: int, state: State, flow: str = "customers") -> Receipt:
    return Receipt(flow, generation, state, "2026-01-01T00:00:00.000+00:00")


@given(RECEIPTS)
def test_a_receipt_comes_back_from_json_as_it_was(one: Receipt) -> None:
    assert receipts.parse(one.to_json()) == one
    assert receipts.parse(one.to_json().encode()) == one
    assert json.loads(one.to_json())["state"] == one.state


def malformed(value: bytes | str | None) -> bool:
    found = receipts.parse(value)
    return isinstance(found, Malformed) and bool(found.reason)


@given(st.binary())
def test_bytes_that_are_no_receipt_are_malformed(value: bytes) -> None:
    assert malformed(value)


@given(JSON)
def test_json_that_is_no_receipt_is_malformed(value: object) -> None:
    assert malformed(json.dumps(value))


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"flow": "customers"},
        {"flow": "customers", "generation": 1, "state": "live"},
        {"flow": "customers", "generation": "1", "state": "live", "at": ""},
        {"flow": "customers", "generation": 1, "state": "asleep", "at": ""},
        {"flow": "customers", "generation": 1, "state": ["live"], "at": ""},
        {"flow": None, "generation": 1, "state": "live", "at": ""},
        {**OLD, "end": {"u": 5}},
        {**OLD, "start": {"u": {"0": "5"}}},
        {**OLD, "rows": {"users_ui": "many"}},
        {**OLD, "types": {"users": "string"}},
    ],
)
def test_a_receipt_with_wrong_fields_is_malformed(fields: dict[str, object]) -> None:
    assert malformed(json.dumps(fields))


def test_no_value_is_malformed() -> None:
    assert malformed(None)
    assert malformed("")


def test_a_receipt_of_another_version_is_read() -> None:
    known = receipts.parse(json.dumps(OLD))
    assert isinstance(known, Receipt)
    assert (known.declaration, known.types, known.of_this_version) == ({}, {}, False)
    newer = receipts.parse(json.dumps({**OLD, "colour": "red"}))
    assert newer == known


BIRTH = Receipt(
    "customers",
    4,
    "building",
    "",
    sources={"users": "u2", "accounts": "a2"},
    join="inner",
    recipe={"format": FORMAT},
    declaration=CUSTOMERS,
    types={"users": {}},
)


def test_the_first_receipt_has_the_declaration_and_no_other() -> None:
    assert receipts.parse(BIRTH.to_json()) == BIRTH
    later = replace(BIRTH, state="live")
    assert receipts.parse(later.to_json()) == replace(later, declaration={}, types={})


def test_a_generation_runs_its_declaration_with_its_own_topics_and_join() -> None:
    flow = flow_of(BIRTH)
    assert flow.topics == BIRTH.sources
    assert flow.join == "inner"
    assert flow_of(BIRTH) is flow
    assert [view.name for view in layout_of(BIRTH).views] == [*CUSTOMERS["views"], "rejects"]


def test_what_another_version_declares_is_understood_or_told() -> None:
    assert BIRTH.of_this_version
    more = {**CUSTOMERS, "colour": "red"}
    assert flow_of(replace(BIRTH, declaration=more)) == flow_of(BIRTH)
    unknown = {**CUSTOMERS, "views": {"users_ui": {"spiral": "users"}}}
    assert not replace(BIRTH, recipe={"format": "3"}).of_this_version
    assert not replace(BIRTH, declaration={}).of_this_version
    assert not replace(BIRTH, declaration=unknown).of_this_version


def test_each_state_of_a_generation_has_a_key_of_its_own() -> None:
    keys = {receipt(g, s, f).key for g in (1, 11) for s in get_args(State) for f in ("a", "b")}
    assert len(keys) == 2 * 2 * len(get_args(State))


def test_the_last_receipt_of_a_generation_tells_its_state() -> None:
    known = Ledger([receipt(1, "building"), receipt(2, "building"), receipt(2, "live")])
    states = {g: life.state for g, life in known.lives("customers").items()}
    assert states == {1: "building", 2: "live"}
    assert known.pending("customers") == 1
    assert known.newest("customers") == receipt(1, "building")
    assert known.flows == ["customers"]
    assert known.lives("positions") == {}
    assert known.newest("positions") is None
    assert known.pending("positions") is None


def test_a_generation_without_its_first_receipt_is_none() -> None:
    assert Ledger([receipt(1, "caught-up"), receipt(1, "live")]).lives("customers") == {}


def live(*known: Receipt) -> int | None:
    return Ledger(known).live("customers")


def test_the_live_generation_is_the_one_that_took_over_last() -> None:
    first = [receipt(1, "building"), receipt(1, "live")]
    second = [receipt(2, "building"), receipt(2, "live")]
    assert live() is None
    assert live(*first, *second) == 2
    lingers = [*first, *second, receipt(1, "lingering")]
    assert live(*lingers) == 2
    back = [*lingers, receipt(1, "caught-up"), receipt(1, "live")]
    assert live(*back) == 1
    assert live(*back, receipt(2, "lingering"), receipt(2, "closed")) == 1
    assert live(*first, receipt(1, "closed")) is None


@pytest.mark.parametrize("end", ["closed", "refused", "failed"])
@pytest.mark.parametrize("late", ["building", "caught-up", "live", "lingering"])
def test_what_is_over_stays_over(end: State, late: State) -> None:
    first = [receipt(1, "building"), receipt(1, "live")]
    known = Ledger([*first, receipt(2, "building"), receipt(2, end), receipt(2, late)])
    assert known.lives("customers")[2].state == end
    assert known.live("customers") == 1
    assert known.pending("customers") is None


STEPS = st.lists(st.tuples(st.integers(1, 4), st.sampled_from(get_args(State))), max_size=40)


@given(STEPS)
def test_whatever_is_written_a_ledger_keeps_to_the_rules(steps: list[tuple[int, State]]) -> None:
    known = Ledger()
    for number, state in steps:
        before = known.lives("customers")
        known.add(receipt(number, state))
        after = known.lives("customers")
        for other, life in before.items():
            # What is over stays over, and no other generation is touched.
            assert after[other].state == life.state or (other == number and life.running)
            assert after[other].birth == life.birth
        if number not in before:
            assert number not in after or state == "building"
        live = known.live("customers")
        assert live is None or after[live].state == "live"
        assert (live is not None) == any(life.state == "live" for life in after.values())
        pending = known.pending("customers")
        assert pending is None or after[pending].pending


@given(STEPS)
def test_the_topic_before_and_after_compaction_tells_of_the_same_ends(
    steps: list[tuple[int, State]],
) -> None:
    # No generation is begun twice.
    births = [receipt(g, "building") for g in range(1, 5)]
    known = [*births, *(receipt(g, s) for g, s in steps if s != "building")]
    compacted = list({r.key: r for r in reversed(known)}.values())[::-1]
    whole, short = Ledger(known).lives("customers"), Ledger(compacted).lives("customers")
    assert {g for g, life in whole.items() if life.running} == {
        g for g, life in short.items() if life.running
    }


def test_what_has_been_over_for_long_can_be_forgotten() -> None:
    by_settings = [receipt(1, "building"), receipt(1, "live"), receipt(1, "closed")]
    swapped = [
        replace(receipt(g, s), control=g)
        for g in range(2, 9)
        for s in get_args(State)
        if s in ("building", "live") or (s == "closed" and g < 8)
    ]
    known = Ledger([*by_settings, *swapped])
    keys = known.expired("customers", keep=2)
    # The newest two that are over, the live one, and the last that the settings asked for stay.
    assert {k.split("/")[1] for k in keys} == {"2", "3", "4", "5"}
    assert all("/building/" in k for k in keys[-4:])
    for key in keys:
        gone = known.forget(key)
        assert gone is not None
        assert gone.key == key
    assert set(known.lives("customers")) == {1, 6, 7, 8}
    assert known.live("customers") == 8
    assert known.expired("customers", keep=2) == []
    assert known.forget("customers/99/live") is None


def test_refused_messages_share_a_bounded_number_of_keys() -> None:
    keys = {Receipt("customers", 0, "refused", "", control=n).key for n in range(5000)}
    assert len(keys) == 1000


def test_the_end_is_reached_when_every_partition_was_seen_to_its_last_record() -> None:
    one = Receipt(
        flow="customers",
        generation=1,
        state="building",
        at="",
        start={"users": {"0": 0, "1": 7}, "accounts": {"0": 0}},
        end={"users": {"0": 3, "1": 7}, "accounts": {"0": 5}},
    )
    assert not receipts.reached(one, {})
    assert not receipts.reached(one, {"users": {"0": 2}, "accounts": {"0": 3}})
    assert receipts.reached(one, {"users": {"0": 2}, "accounts": {"0": 4}})
    assert receipts.to_read(one) == 8
    assert receipts.read_so_far(one, {}) == 0
    assert receipts.read_so_far(one, {"users": {"0": 1, "1": 3}, "accounts": {"0": 99}}) == 7


def at(seconds: float) -> str:
    return f"2026-01-01T00:00:{seconds:06.3f}+00:00"


def test_the_last_takeover_is_timed_by_its_receipts() -> None:
    ledger = Ledger()
    assert ledger.last_takeover("customers") is None
    for number, begun in ((1, 1.0), (2, 10.0)):
        ledger.add(Receipt("customers", number, "building", at(begun), control=number))
        assert (ledger.last_takeover("customers") is None) == (number == 1)
        ledger.add(Receipt("customers", number, "caught-up", at(begun + 2.5), control=number))
        ledger.add(Receipt("customers", number, "live", at(begun + 2.75), control=number))
    assert ledger.last_takeover("customers") == Takeover(2, 2.5, 0.25)
    assert ledger.last_takeover("positions") is None


def test_a_rollback_and_a_generation_that_failed_are_no_takeover() -> None:
    ledger = Ledger()
    for state, seconds in (("building", 1.0), ("caught-up", 4.0), ("live", 4.5)):
        ledger.add(Receipt("customers", 1, state, at(seconds), control=1))  # type: ignore[arg-type]
    ledger.add(Receipt("customers", 1, "caught-up", at(20.0), control=9))
    ledger.add(Receipt("customers", 1, "live", at(20.1), control=9))
    ledger.add(Receipt("customers", 2, "building", at(30.0), control=10))
    ledger.add(Receipt("customers", 2, "failed", at(40.0), control=10))
    assert ledger.last_takeover("customers") == Takeover(1, 3.0, 0.5)

"""The rule from a control message to a decision."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidegrid.contract import control
from tidegrid.contract.control import Build, GoBack, Known, Refuse, Rollback, Skip, Swap
from tidegrid.contract.receipts import Ledger, Receipt
from tidegrid.contract.views import CUSTOMERS, POSITIONS

LIVE = Known({"users": "users", "accounts": "accounts"})
EXISTING = {"users", "accounts", "users.v2", "accounts.v2", "tidegrid.receipts", "__offsets"}


def outcome(message: Any, known: Known = LIVE) -> control.Decision:
    value = message if isinstance(message, bytes | None) else json.dumps(message).encode()
    request = control.parse(value)
    if isinstance(request, Refuse):
        return request
    return control.decide(request, known, EXISTING, {"customers"})


def test_the_shape_that_tools_send_today_works() -> None:
    message = {"usersTopic": "users.v2", "accountsTopic": "accounts.v2", "joinType": "inner"}
    wanted = {"users": "users.v2", "accounts": "accounts.v2"}
    assert outcome(message) == Build(wanted, "inner", "earliest")


def test_what_a_message_does_not_name_stays() -> None:
    known = Known(LIVE.sources, join="inner")
    wanted = {"users": "users.v2", "accounts": "accounts"}
    assert outcome({"usersTopic": "users.v2"}, known) == Build(wanted, "inner", "earliest")
    assert outcome({"joinType": "left"}, known) == Build(LIVE.sources, "left", "earliest")


@pytest.mark.parametrize("starting", ["latest", "2026-11-15T10:00:00Z", "2026-11-15T10:00:00"])
def test_a_start_can_be_chosen(starting: str) -> None:
    found = outcome({"usersTopic": "users.v2", "startingOffsets": starting})
    assert isinstance(found, Build)
    assert found.starting == starting


def test_a_time_without_a_zone_is_utc() -> None:
    assert control.start_time("1970-01-01T00:00:01") == 1000
    assert control.start_time("1970-01-01T01:00:01+01:00") == 1000
    assert control.start_time("earliest") is None


def test_a_message_that_changes_nothing_is_skipped() -> None:
    message = {"usersTopic": "users", "accountsTopic": "accounts", "joinType": "left"}
    assert outcome(message) == Skip()
    assert isinstance(outcome({**message, "startingOffsets": "latest"}), Build)


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (None, "empty message"),
        (b"", "empty message"),
        (b"{", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b'{"usersTopic": "' + b"x" * 1_000_000 + b'"}', "message of 1000018 bytes"),
        (b'{"usersTopic":' + b"[" * 10_000 + b"]" * 10_000 + b"}", "not JSON that can be read"),
        (b"[" * 10_000, "not JSON"),
        ([], "not a JSON object"),
        (7, "not a JSON object"),
        ({}, "an empty object"),
        ({"usersTopic": 7}, "usersTopic: expected a text"),
        ({"usersTopic": None}, "usersTopic: expected a text"),
        ({"joinType": ["left"]}, "joinType: expected a text"),
        ({"joinType": "outer"}, "unknown joinType 'outer'"),
        ({"joinType": ""}, "unknown joinType ''"),
        ({"action": "explode"}, "unknown action 'explode'"),
        ({"action": "rollback"}, "a rollback names its flow"),
        ({"action": "rollback", "flow": "nothing"}, "there is no flow nothing"),
        ({"action": "rollback", "flow": "customers", "usersTopic": "u"}, "a rollback takes no"),
        ({"usersTopic": "users.v2", "speed": "fast"}, "unknown field 'speed'"),
        ({"startingOffsets": "latest"}, "it names no topic"),
        ({"usersTopic": "users.v2", "startingOffsets": "soon"}, "startingOffsets: 'soon'"),
        ({"usersTopic": "users.v3"}, "topic users.v3 does not exist"),
        ({"usersTopic": "tidegrid.receipts"}, "tidegrid.receipts is one of Tidegrid's own"),
        ({"usersTopic": "__offsets"}, "__offsets is an internal topic"),
        ({"usersTopic": "accounts"}, "the same topic twice"),
        ({"usersTopic": "users.v2", "accountsTopic": "users.v2"}, "the same topic twice"),
        ({"positionsTopic": "users.v2"}, "there is no flow positions"),
        ({"usersTopic": "users.v2", "positionsTopic": "p"}, "topics of two flows"),
        ({"positionsTopic": "p", "joinType": "left"}, "flow positions has no joinType"),
        ({"usersTopic": "users.v2", "flow": "positions"}, "the topics are of flow customers"),
    ],
)
def test_a_bad_message_is_refused_with_its_reason(message: Any, reason: str) -> None:
    found = outcome(message)
    assert isinstance(found, Refuse)
    assert found.reason.startswith(reason)


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "x" * 250,
        "a/b",
        "a,b",
        "a*",
        "a.*",
        "a\0",
        "us\u0435rs",
        "users\n",
        " users",
        "a b",
    ],
)
def test_an_illegal_topic_name_is_refused(name: str) -> None:
    found = outcome({"usersTopic": name})
    assert isinstance(found, Refuse)
    assert "is no legal topic name" in found.reason
    assert found.reason.isascii()
    assert found.reason.isprintable()


def test_where_nothing_runs_a_swap_names_all_topics() -> None:
    both = {"usersTopic": "users.v2", "accountsTopic": "accounts"}
    assert isinstance(outcome(both, Known()), Build)
    for message, missing in (
        ({"usersTopic": "users.v2"}, "accounts"),
        ({"joinType": "inner"}, "users"),
    ):
        found = outcome(message, Known())
        assert isinstance(found, Refuse)
        assert found.reason.startswith(f"{missing}Topic is not named")


def test_a_rollback_goes_to_the_generation_that_lingers_while_it_does() -> None:
    message = {"action": "rollback", "flow": "customers"}
    assert outcome(message, Known(LIVE.sources, lingering=4)) == GoBack(4)
    assert isinstance(outcome(message), Refuse)
    assert isinstance(outcome(message, Known(LIVE.sources, lingering=4, building=True)), Refuse)


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(value: bytes) -> None:
    assert isinstance(control.parse(value), Swap | Rollback | Refuse)


_TEXTS = st.sampled_from(
    [*sorted(EXISTING), "left", "inner", "rollback", "latest", "customers", ""]
)
_VALUES = _TEXTS | st.text(max_size=5) | st.integers() | st.none() | st.lists(st.integers())
_FIELDS = st.sampled_from([*control.SOURCES, "joinType", "startingOffsets", "action", "flow", "x"])
_KNOWN = st.just(Known()) | st.builds(
    Known,
    sources=st.fixed_dictionaries(
        {"users": st.sampled_from(["users", "users.v2", "gone"]), "accounts": st.just("accounts")}
    ),
    join=st.sampled_from(["left", "inner"]),
    lingering=st.none() | st.integers(1, 9),
    building=st.booleans(),
)


@given(st.dictionaries(_FIELDS, _VALUES), _KNOWN)
def test_a_decision_never_does_what_it_must_not(message: dict[str, Any], known: Known) -> None:
    found = outcome(message, known)
    if isinstance(found, Build):
        assert set(found.sources) == {"users", "accounts"}
        assert len(set(found.sources.values())) == 2
        assert set(found.sources.values()) <= {"users", "accounts", "users.v2", "accounts.v2"}
        assert found.join in ("left", "inner")
        assert (found.sources, found.join, found.starting) != (
            known.sources,
            known.join,
            known.starting,
        )
    elif isinstance(found, GoBack):
        assert message["action"] == "rollback"
        assert found.generation == known.lingering
    elif isinstance(found, Refuse):
        assert found.reason
    else:
        # Skipped: applying it once more changes nothing either.
        assert outcome(message, known) == Skip()


@given(st.dictionaries(_FIELDS, _VALUES), _KNOWN)
def test_what_was_built_is_skipped_when_asked_for_again(message: Any, known: Known) -> None:
    found = outcome(message, known)
    if isinstance(found, Build):
        after = Known(found.sources, found.join, found.starting)
        assert outcome(message, after) == Skip()


BIRTH = Receipt("customers", 2, "building", "", sources={"users": "u2", "accounts": "a2"})
TOOK_OVER = replace(BIRTH, state="live")


def test_what_is_live_already_is_not_worth_sending() -> None:
    ledger = Ledger([BIRTH, TOOK_OVER])
    assert control.problem({"usersTopic": "u2"}, ledger) == control.NO_CHANGE
    assert control.problem({"usersTopic": "u3"}, ledger) == ""
    assert control.problem({"usersTopic": "u2"}, Ledger()) == ""
    assert control.problem({"action": "rollback", "flow": "customers"}, ledger) == ""
    on_its_way = replace(BIRTH, generation=3)
    assert control.problem({"usersTopic": "u2"}, Ledger([BIRTH, TOOK_OVER, on_its_way])) == ""
    assert "no legal topic name" in control.problem({"usersTopic": "a b"}, ledger)


@pytest.mark.parametrize(
    ("ratio", "rows", "stops"),
    [(0.0, 0, False), (0.5, 50, False), (0.5, 49, True), (1.0, 100, False), (1.0, 99, True)],
)
def test_the_guard_stops_a_flip_that_would_empty_the_screens(
    ratio: float, rows: int, stops: bool
) -> None:
    step = replace(BIRTH, before={"users_ui": 100, "user": 1000}, rows={"users_ui": rows})
    reason = control.guard(step, CUSTOMERS, ratio)
    assert bool(reason) == stops
    # Lists of events are no measure: they are short after every start.
    assert "user " not in reason
    # Nor are buckets: those of a window that is over are still there.
    assert not control.guard(replace(step, before={"gold_buckets": 100}), POSITIONS, ratio)
    if stops:
        assert reason.startswith(f"guard: users_ui would go from 100 rows to {rows}")

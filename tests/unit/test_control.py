"""The rule from a control message to a decision."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidegrid.contract import control, declaration, messages
from tidegrid.contract.control import Build, GoBack, Known, Skip, Unused
from tidegrid.contract.declaration.types import Flow
from tidegrid.contract.messages import (
    MAX_APPLY_BYTES,
    MAX_BYTES,
    Apply,
    Refuse,
    Remove,
    Rollback,
    Swap,
    start_time,
)
from tidegrid.contract.receipts import FORMAT, Ledger, Receipt, layout_of
from tidegrid.settings import Settings

DOCUMENTS = Settings().declared()
CUSTOMERS, POSITIONS = DOCUMENTS["customers"], DOCUMENTS["positions"]
FLOWS = {name: declaration.parse(document, name) for name, document in DOCUMENTS.items()}
ORDERS: dict[str, Any] = {
    "sources": {"orders": {"topic": "orders", "key": ["id"], "fields": {"id": "string"}}},
    "views": {"orders_live": {"latest": "orders"}},
}
BOTH = {"users": "users", "accounts": "accounts"}
LIVE = Known(Build(CUSTOMERS, BOTH, "left"), CUSTOMERS)
EXISTING = {
    "users",
    "accounts",
    "users.v2",
    "accounts.v2",
    "orders",
    "tidegrid.receipts",
    "__offsets",
}


def live(sources: dict[str, str] = BOTH, join: str = "left", **more: Any) -> Known:
    return Known(Build(CUSTOMERS, sources, join), CUSTOMERS, **more)


def read(message: Any, flows: dict[str, Flow] = FLOWS) -> messages.Request | Refuse:
    value = message if isinstance(message, bytes | None) else json.dumps(message).encode()
    return messages.parse(value, flows)


def outcome(message: Any, known: Known = LIVE) -> control.Decision:
    request = read(message)
    return request if isinstance(request, Refuse) else control.decide(request, known, EXISTING)


def built(sources: dict[str, str], join: str) -> Build:
    return Build(CUSTOMERS, sources, join, "earliest")


def test_the_shape_that_tools_send_today_works() -> None:
    message = {"usersTopic": "users.v2", "accountsTopic": "accounts.v2", "joinType": "inner"}
    wanted = {"users": "users.v2", "accounts": "accounts.v2"}
    assert outcome(message) == built(wanted, "inner")


def test_what_a_message_does_not_name_stays() -> None:
    known = live(join="inner")
    wanted = {"users": "users.v2", "accounts": "accounts"}
    assert outcome({"usersTopic": "users.v2"}, known) == built(wanted, "inner")
    assert outcome({"joinType": "left"}, known) == built(BOTH, "left")


@pytest.mark.parametrize("starting", ["latest", "2026-11-15T10:00:00Z", "2026-11-15T10:00:00"])
def test_a_start_can_be_chosen(starting: str) -> None:
    found = outcome({"usersTopic": "users.v2", "startingOffsets": starting})
    assert isinstance(found, Build)
    assert found.starting == starting


def test_a_time_without_a_zone_is_utc() -> None:
    assert start_time("1970-01-01T00:00:01") == 1000
    assert start_time("1970-01-01T01:00:01+01:00") == 1000
    assert start_time("earliest") is None
    assert start_time("0001-01-01T00:00:00+14:00") is not None


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
        (b'{"usersTopic": NaN}', "not JSON"),
        (b'{"usersTopic": "\\ud800"}', "not JSON"),
        ({"usersTopic": None}, "usersTopic: expected a text"),
        ({"joinType": ["left"]}, "joinType: expected a text"),
        ({"joinType": "outer"}, "unknown joinType 'outer'"),
        ({"joinType": ""}, "unknown joinType ''"),
        ({"action": "explode"}, "unknown action 'explode'"),
        ({"action": "rollback"}, "a rollback names its flow"),
        (
            {"action": "rollback", "flow": "nothing"},
            "there is no flow 'nothing' here; there are customers, positions",
        ),
        ({"action": "rollback", "flow": "customers", "usersTopic": "u"}, "a rollback takes no"),
        ({"usersTopic": "users.v2", "speed": "fast"}, "unknown field 'speed'"),
        ({"startingOffsets": "latest"}, "it names no topic"),
        ({"usersTopic": "users.v2", "startingOffsets": "soon"}, "startingOffsets: 'soon'"),
        ({"usersTopic": "users.v3"}, "topic users.v3 does not exist"),
        ({"usersTopic": "tidegrid.receipts"}, "tidegrid.receipts is one of Tidegrid's own"),
        ({"usersTopic": "__offsets"}, "__offsets is an internal topic"),
        ({"usersTopic": "accounts"}, "the same topic twice"),
        ({"usersTopic": "users.v2", "accountsTopic": "users.v2"}, "the same topic twice"),
        ({"ordersTopic": "users.v2"}, "unknown field 'ordersTopic'; known are usersTopic,"),
        ({"flow": "orders", "topics": {"orders": "a"}}, "there is no flow 'orders' here"),
        ({"flow": "customers"}, "it names no topic"),
        ({"flow": "customers", "topics": {}}, "it names no topic"),
        ({"flow": "customers", "topics": []}, "topics: expected an object"),
        ({"flow": "customers", "topics": {"users": 5}}, "topics.'users': expected a text"),
        ({"flow": "customers", "topics": {"orders": "a"}}, "flow customers has no source 'orders'"),
        ({"flow": "customers", "topics": {"positions": "a"}}, "the topics are of flow positions"),
        ({"topics": {"orders": "a"}}, "no flow has a source 'orders'"),
        ({"topics": {"users": "a"}, "usersTopic": "b"}, "two topics for 'users'"),
        ({"topics": {"users": "a b"}}, "topics.users: 'a b' is no legal topic name"),
        ({"remove": "orders"}, "there is no flow 'orders' here"),
        ({"remove": "customers", "flow": "customers"}, "a remove takes no flow"),
        ({"apply": "orders"}, "apply: expected an object"),
        ({"apply": {}}, "apply: it has no name"),
        ({"apply": {"name": "orders"}}, "sources: there are none"),
        ({"apply": {"name": "a.b", **ORDERS}}, "'a.b' is no name of a flow"),
        ({"apply": {"name": "orders", **ORDERS}, "flow": "orders"}, "an apply takes no flow"),
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
    assert isinstance(outcome(both, Known(document=CUSTOMERS)), Build)
    assert outcome(both, Known()) == Refuse("there is no flow customers here")
    for message, missing in (
        ({"usersTopic": "users.v2"}, "accounts"),
        ({"joinType": "inner"}, "users"),
    ):
        found = outcome(message, Known(document=CUSTOMERS))
        assert isinstance(found, Refuse)
        assert found.reason.startswith(f"{missing}Topic is not named")


def test_a_rollback_goes_to_the_generation_that_lingers_while_it_does() -> None:
    message = {"action": "rollback", "flow": "customers"}
    assert outcome(message, live(lingering=4)) == GoBack(4)
    assert isinstance(outcome(message), Refuse)
    assert isinstance(outcome(message, live(lingering=4, building=True)), Refuse)


@pytest.mark.parametrize("named", [True, False])
def test_the_topics_of_any_flow_can_be_named(named: bool) -> None:
    message = {"topics": {"users": "users.v2"}, "joinType": "inner"}
    wanted = built({"users": "users.v2", "accounts": "accounts"}, "inner")
    assert outcome({**message, "flow": "customers"} if named else message) == wanted


def test_a_source_or_a_join_of_several_flows_needs_the_name_of_one() -> None:
    flows = {**FLOWS, "copies": replace(FLOWS["customers"], name="copies")}
    for message in ({"usersTopic": "u"}, {"joinType": "left"}):
        refused = read(message, flows)
        assert isinstance(refused, Refuse)
        assert refused.reason.endswith('name one of them, as "flow": customers, copies')
        swap = read({**message, "flow": "copies"}, flows)
        assert isinstance(swap, Swap)
        assert swap.flow == "copies"
    assert read({"joinType": "left"}, {"positions": FLOWS["positions"]}) == Refuse(
        "no flow has a joinType"
    )


def apply(document: dict[str, Any], known: Known, name: str = "orders") -> control.Decision:
    return outcome({"apply": {"name": name, **document}}, known)


def test_a_declaration_is_applied_with_the_topics_it_names() -> None:
    wanted = Build(ORDERS, {"orders": "orders"}, "")
    assert apply(ORDERS, Known()) == wanted
    assert apply(ORDERS, Known(wanted)) == Skip()
    # Also where a swap has named others since.
    assert apply(ORDERS, Known(replace(wanted, sources={"orders": "users"}))) == wanted
    other = {**ORDERS, "title": "Orders"}
    assert apply(other, Known(wanted)) == replace(wanted, document=other)
    later = outcome(
        {"apply": {"name": "orders", **ORDERS}, "startingOffsets": "latest"}, Known(wanted)
    )
    assert later == replace(wanted, starting="latest")


def test_the_order_of_tables_and_columns_is_part_of_a_declaration() -> None:
    views = CUSTOMERS["views"]
    turned = {**CUSTOMERS, "views": dict(reversed(views.items()))}
    assert apply(CUSTOMERS, LIVE, "customers") == Skip()
    assert isinstance(apply(turned, LIVE, "customers"), Build)


def test_a_declaration_without_topics_takes_those_of_the_live_generation() -> None:
    source = {**ORDERS["sources"]["orders"], "topic": ""}
    nowhere = {**ORDERS, "sources": {"orders": source}, "title": "Orders"}
    known = Known(Build(ORDERS, {"orders": "users"}, ""))
    assert apply(nowhere, known) == Build(nowhere, {"orders": "users"}, "")
    refused = apply(nowhere, Known())
    assert isinstance(refused, Refuse)
    assert refused.reason.startswith("ordersTopic is not named")


def test_a_declaration_with_the_table_of_another_flow_or_a_missing_topic_is_refused() -> None:
    theirs = {**ORDERS, "views": {"users_ui": {"latest": "orders"}}}
    refused = apply(theirs, Known(others=(FLOWS["customers"],)))
    assert isinstance(refused, Refuse)
    assert "views.users_ui: the flow 'customers' has a table of this name" in refused.reason
    source = {**ORDERS["sources"]["orders"], "topic": "nowhere"}
    assert apply({**ORDERS, "sources": {"orders": source}}, Known()) == Refuse(
        "topic nowhere does not exist"
    )


def test_all_problems_of_a_declaration_are_in_the_refusal() -> None:
    refused = apply({**ORDERS, "titel": "x", "views": {"k": {"latest": "order"}}}, Known())
    assert isinstance(refused, Refuse)
    assert len(refused.reason.splitlines()) >= 3


def test_a_flow_is_removed_if_something_of_it_runs() -> None:
    assert outcome({"remove": "customers"}) == Remove("customers")
    assert isinstance(outcome({"remove": "customers"}, Known()), Refuse)


def test_only_a_declaration_may_be_long() -> None:
    swap = b'{"usersTopic":"users.v2"%s}' % (b" " * MAX_BYTES)
    assert read(swap) == Refuse(f"message of {len(swap)} bytes, at most {MAX_BYTES} are read")
    declared = json.dumps({"apply": {"name": "orders", **ORDERS}}).encode()
    assert isinstance(read(declared + b" " * MAX_BYTES), Apply)
    assert isinstance(read(declared + b" " * MAX_APPLY_BYTES), Refuse)


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(value: bytes) -> None:
    assert isinstance(read(value), Swap | Rollback | Apply | Remove | Refuse)


_TEXTS = st.sampled_from(
    [*sorted(EXISTING), "left", "inner", "rollback", "latest", "customers", "positions", ""]
)
_VALUES = _TEXTS | st.text(max_size=5) | st.integers() | st.none() | st.lists(st.integers())
_SOURCES = st.sampled_from(["users", "accounts", "positions", "x"])
_FIELDS = st.sampled_from(
    [
        *("usersTopic", "accountsTopic", "positionsTopic", "joinType", "startingOffsets"),
        *("action", "flow", "remove", "x"),
    ]
)
_MESSAGES = st.builds(
    lambda fields, more: {**fields, **more},
    st.dictionaries(_FIELDS, _VALUES),
    st.just({})
    | st.fixed_dictionaries({"topics": st.dictionaries(_SOURCES, _VALUES)})
    | st.just({"apply": {"name": "customers", **CUSTOMERS}})
    | st.just({"apply": {"name": "customers", **CUSTOMERS, "title": "Others"}}),
)
_KNOWN = st.just(Known(document=CUSTOMERS)) | st.builds(
    live,
    sources=st.fixed_dictionaries(
        {"users": st.sampled_from(["users", "users.v2", "gone"]), "accounts": st.just("accounts")}
    ),
    join=st.sampled_from(["left", "inner"]),
    lingering=st.none() | st.integers(1, 9),
    building=st.booleans(),
)


@given(_MESSAGES, _KNOWN)
def test_a_decision_never_does_what_it_must_not(message: dict[str, Any], known: Known) -> None:
    request = read(message, {"customers": FLOWS["customers"]})
    if isinstance(request, Refuse):
        assert request.reason
        return
    found = control.decide(request, known, EXISTING)
    if isinstance(found, Build):
        assert set(found.sources) == {"users", "accounts"}
        assert len(set(found.sources.values())) == 2
        assert set(found.sources.values()) <= EXISTING - {"tidegrid.receipts", "__offsets"}
        assert found.join in ("left", "inner")
        assert not found.is_like(known.newest)
    elif isinstance(found, GoBack):
        assert message["action"] == "rollback"
        assert found.generation == known.lingering
    elif isinstance(found, Remove):
        assert message == {"remove": "customers"}
        assert known.newest is not None
    elif isinstance(found, Refuse):
        assert found.reason
    else:
        # Skipped: whatever the message names is what the newest generation has.
        assert known.newest is not None
        named = {n.removesuffix("Topic"): t for n, t in message.items() if n.endswith("Topic")}
        named.update(message.get("topics", {}))
        asked = message.get("apply", CUSTOMERS)
        if "apply" in message:
            named = {name: s["topic"] for name, s in asked["sources"].items()}
            assert known.newest.join == asked["views"]["final_ui"]["how"]
        assert named.items() <= known.newest.sources.items()
        assert asked["title"] == CUSTOMERS["title"]
        assert message.get("joinType", known.newest.join) == known.newest.join
        assert message.get("startingOffsets", "earliest") == known.newest.starting


@given(_MESSAGES, _KNOWN)
def test_what_was_built_is_skipped_when_asked_for_again(message: Any, known: Known) -> None:
    request = read(message, {"customers": FLOWS["customers"]})
    if not isinstance(request, Refuse):
        found = control.decide(request, known, EXISTING)
        if isinstance(found, Build):
            assert control.decide(request, Known(found), EXISTING) == Skip()


BIRTH = Receipt(
    "customers",
    2,
    "building",
    "",
    sources={"users": "u2", "accounts": "a2"},
    declaration=CUSTOMERS,
    recipe={"format": FORMAT},
)
TOOK_OVER = replace(BIRTH, state="live")


def worth(message: dict[str, Any], ledger: Ledger) -> str:
    return control.problem(message, FLOWS, ledger)


def test_what_is_live_already_is_not_worth_sending() -> None:
    ledger = Ledger([BIRTH, TOOK_OVER])
    assert worth({"usersTopic": "u2"}, ledger) == control.NO_CHANGE
    assert worth({"usersTopic": "u3"}, ledger) == ""
    assert worth({"usersTopic": "u2"}, Ledger()) == ""
    assert worth({"action": "rollback", "flow": "customers"}, ledger) == ""
    on_its_way = replace(BIRTH, generation=3)
    assert worth({"usersTopic": "u2"}, Ledger([BIRTH, TOOK_OVER, on_its_way])) == ""
    assert "no legal topic name" in worth({"usersTopic": "a b"}, ledger)
    resolved = control.asked(BIRTH).resolved
    assert worth({"apply": {"name": "customers", **resolved}}, ledger) == control.NO_CHANGE
    assert worth({"apply": {"name": "customers", **CUSTOMERS}}, ledger) == ""


def test_what_an_older_version_left_does_not_stand_in_the_way() -> None:
    old = replace(BIRTH, declaration={}, recipe={"format": "3"})
    ledger = Ledger([old, replace(old, state="live")])
    assert worth({"usersTopic": "u2"}, ledger) == ""
    assert control.flows_of(ledger) == {}
    assert control.known(ledger, "customers", CUSTOMERS).newest is None


def test_what_is_known_of_a_flow_comes_from_the_receipts() -> None:
    lingering = [
        replace(BIRTH, generation=1, state=state) for state in ("building", "live", "lingering")
    ]
    ledger = Ledger([*lingering, BIRTH, TOOK_OVER, replace(BIRTH, flow="copies", generation=9)])
    known = control.known(ledger, "customers", {})
    assert known.newest == control.asked(BIRTH)
    assert (known.lingering, known.building) == (1, False)
    assert [flow.name for flow in known.others] == ["copies"]
    assert control.known(ledger, "copies", {}).building


def test_only_the_newest_records_say_whether_a_source_can_be_used() -> None:
    start = {"t": {"0": 0, "1": 40}, "empty": {"0": 7}}
    seen = {"t": {"0": 9_999, "1": 49}}
    # A slot of the list keeps the last reject it had: here those are from long ago.
    old = [("t", 0, offset, "not JSON") for offset in range(100)]
    found = control.newest_unused(start, seen, old, 100)
    assert found == {"t": Unused(110, 0, ""), "empty": Unused(0, 0, "")}
    new = [("t", 0, 9_900, "a"), ("t", 0, 9_899, "a"), ("t", 1, 49, "b"), ("t", 1, 48, "b")]
    # A partition that was added since.
    new += [("t", 2, 0, "a")]
    assert control.newest_unused(start, seen, old + new, 100)["t"] == Unused(110, 3, "b")


def test_the_guard_stops_records_that_mostly_cannot_be_used() -> None:
    found = {
        "empty": Unused(0, 0, ""),
        "good": Unused(1000, 500, "not JSON"),
        "bad": Unused(1000, 501, "symbol: missing or empty"),
    }
    reason = control.guard_rejects(found, 0.5)
    assert "501 of the newest 1,000 records of bad" in reason
    assert "symbol: missing or empty" in reason
    assert not control.guard_rejects({**found, "bad": Unused(1, 1, "not JSON")}, 1)
    assert not control.guard_rejects({"good": found["good"], "empty": found["empty"]}, 0.5)


@pytest.mark.parametrize("force", [True, False])
def test_force_goes_from_the_message_to_the_build(force: bool) -> None:
    decision = outcome({"usersTopic": "users.v2", "force": force})
    assert isinstance(decision, Build)
    assert decision.force == force
    assert read({"usersTopic": "u", "force": "yes"}) == Refuse("force: expected true or false")


@pytest.mark.parametrize(
    ("ratio", "rows", "stops"),
    [(0.0, 0, False), (0.5, 50, False), (0.5, 49, True), (1.0, 100, False), (1.0, 99, True)],
)
def test_the_guard_stops_a_flip_that_would_empty_the_screens(
    ratio: float, rows: int, stops: bool
) -> None:
    step = replace(BIRTH, before={"users_ui": 100, "user": 1000}, rows={"users_ui": rows})
    reason = control.guard(step, layout_of(BIRTH), ratio)
    assert bool(reason) == stops
    # Lists of events are no measure: they are short after every start.
    assert "user " not in reason
    # Nor are buckets: those of a window that is over are still there.
    types = {"positions": {"instrument": "string", "key": "string"}}
    gold = replace(
        BIRTH, flow="positions", sources={"positions": "p"}, declaration=POSITIONS, types=types
    )
    assert not control.guard(replace(step, before={"gold_buckets": 100}), layout_of(gold), ratio)
    if stops:
        assert reason.startswith(f"guard: users_ui would go from 100 rows to {rows}")

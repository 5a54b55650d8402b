"""What the parts count of a generation, and the kinds of reasons that rejects are counted by."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tidegrid.contract.health import Figure
from tidegrid.contract.receipts import FORMAT, Ledger, Receipt
from tidegrid.contract.views import REASON_DETAIL
from tidegrid.pipeline import figures as of_pipeline
from tidegrid.pipeline.generation import Generation
from tidegrid.settings import Settings
from tidegrid.tables import figures as of_tables
from tidegrid.tables.figures import Seen

BIRTH = Receipt(
    "customers",
    4,
    "building",
    "2026-01-01T00:00:00.000+00:00",
    sources={"users": "users", "accounts": "accounts"},
    start={"users": {"0": 100, "1": 0}, "accounts": {"0": 7}},
    end={"users": {"0": 150, "1": 0}, "accounts": {"0": 7}},
    recipe={"format": FORMAT, "shuffle_partitions": "2"},
    declaration=Settings().declared()["customers"],
)


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("not JSON", "not JSON"),
        ("not JSON: more than one value", "not JSON: more than one value"),
        ("no value: a tombstone", "no value: a tombstone"),
        ("value too large: 70000 bytes, at most 65536", "value too large"),
        ("not a JSON object but an array", "not a JSON object"),
        ("age: expected a whole number, got a text", "age: expected a whole number"),
        ("op: expected I, U or D, got X, got Y but\nZ: 1", "op: expected I, U or D"),
        ("userId: missing or empty", "userId: missing or empty"),
        ("event_ts: more than a day in the future", "event_ts: more than a day in the future"),
    ],
)
def test_a_kind_of_reason_has_nothing_of_the_record_in_it(reason: str, kind: str) -> None:
    assert re.sub(REASON_DETAIL, "", reason, count=1) == kind


def test_events_are_counted_from_the_start_and_lag_to_the_end() -> None:
    seen = Seen(BIRTH, {"users": {"0": 129}}, None, {("users", "not JSON"): 3})
    assert seen.read == {"users": {"0": 130, "1": 0}, "accounts": {"0": 7}}
    # The ends may be older than what has come since.
    ends = {"users": {"0": 150, "1": 0}, "accounts": {"0": 6}}
    assert list(of_tables.of_generation(seen, ends)) == [
        Figure("events", 30, "customers", 4, "users", 0),
        Figure("lag", 20, "customers", 4, "users", 0),
        Figure("events", 0, "customers", 4, "users", 1),
        Figure("lag", 0, "customers", 4, "users", 1),
        Figure("events", 0, "customers", 4, "accounts", 0),
        Figure("lag", 0, "customers", 4, "accounts", 0),
        Figure("rejects", 3, "customers", 4, "users", label="not JSON"),
    ]


def test_there_is_no_lag_as_long_as_the_ends_are_not_known() -> None:
    seen = Seen(BIRTH, {}, None, {})
    measures = [figure.measure for figure in of_tables.of_generation(seen, {})]
    assert measures == ["events"] * 3


def test_the_highest_offset_counts_over_all_changelogs() -> None:
    progress = [("users", 0, 5, 1), ("users", 1, 2, 1), ("users", 0, 9, 1), ("users", 0, 7, 1)]
    assert of_tables.highest(progress) == {"users": {"0": 9, "1": 2}}


def test_the_pipeline_counts_rows_and_says_which_generation_is_live(tmp_path: Path) -> None:
    generation = Generation(Settings(), BIRTH, tmp_path)
    assert generation.demand.slots == 5
    running = {4: generation}
    whom = ("customers", 4)
    asked = of_pipeline.written("customers", running, {})
    assert set(asked[whom]) == {"tidegrid.customers.4.customers", "tidegrid.customers.4.rejects"}
    ledger = Ledger([BIRTH])
    before = list(of_pipeline.of_ledger("customers", ledger, running))
    assert before == [Figure("generation_state", 1, "customers", 4, label="building")]
    assert list(of_pipeline.of_flow("customers", running, {})) == []
    ledger.add(Receipt("customers", 4, "caught-up", "2026-01-01T00:00:02.500+00:00"))
    ledger.add(Receipt("customers", 4, "live", "2026-01-01T00:00:02.750+00:00"))
    ends = {whom: {topic: {"0": 12} for topic in asked[whom]}}
    assert of_pipeline.written("customers", running, ends) == ends
    assert list(of_pipeline.of_flow("customers", running, ends)) == [
        Figure("rows_written", 12, "customers", 4, label="customers"),
        Figure("rows_written", 12, "customers", 4, label="rejects"),
    ]
    assert list(of_pipeline.of_ledger("customers", ledger, running)) == [
        Figure("live_generation", 4, "customers"),
        Figure("generation_state", 1, "customers", 4, label="live"),
        Figure("last_swap_seconds", 2.5, "customers", 4, label="catch-up"),
        Figure("last_swap_seconds", 0.25, "customers", 4, label="flip"),
        Figure("last_swap_seconds", 2.75, "customers", 4, label="total"),
    ]

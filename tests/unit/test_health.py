"""Health reports: to JSON and back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidegrid.contract import health
from tidegrid.contract.health import Health

FINITE = st.floats(allow_nan=False, allow_infinity=False)
REPORTS = st.builds(
    Health,
    part=st.text(),
    at=FINITE,
    state=st.text(),
    generation=st.integers(),
    detail=st.text(),
    rows=st.dictionaries(st.text(), st.integers(), max_size=3),
    age=st.none() | FINITE,
    restarts=st.integers(),
)


@given(REPORTS)
def test_a_report_comes_back_from_json_as_it_was(report: Health) -> None:
    assert health.parse(report.to_json()) == report
    assert health.parse(report.to_json().encode()) == report


@given(st.binary())
def test_bytes_that_are_no_report_give_none(value: bytes) -> None:
    assert health.parse(value) is None


@pytest.mark.parametrize(
    "value",
    [None, "", "null", "[]", "5", '"text"', "{}", '{"part":"tables"}', '{"part":"tables"'],
)
def test_json_that_is_no_report_gives_none(value: str | None) -> None:
    assert health.parse(value) is None


def test_a_report_with_an_unknown_field_gives_none() -> None:
    fields = {"part": "tables", "at": 1.0, "state": "live"}
    assert health.parse(json.dumps(fields)) == Health("tables", 1.0, "live")
    assert health.parse(json.dumps({**fields, "colour": "red"})) is None


def test_a_part_may_miss_a_report_or_two_before_it_is_taken_for_gone() -> None:
    assert health.STALE >= 3 * health.EVERY

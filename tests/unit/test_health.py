"""Health reports: to JSON and back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidegrid.contract import health
from tidegrid.contract.health import Figure, Health, Reports
from tidegrid.contract.wire import Malformed

LONGS = st.integers(-(2**53), 2**53)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
FIGURES = st.builds(
    Figure,
    measure=st.text(max_size=5),
    value=FINITE | LONGS,
    flow=st.text(max_size=5),
    generation=LONGS,
    topic=st.text(max_size=5),
    partition=LONGS,
    label=st.text(max_size=5),
)
REPORTS = st.builds(
    Health,
    part=st.text(),
    at=FINITE,
    state=st.text(),
    generation=LONGS,
    detail=st.text(),
    rows=st.dictionaries(st.text(), LONGS, max_size=3),
    age=st.none() | FINITE,
    restarts=LONGS,
    figures=st.lists(FIGURES, max_size=3).map(tuple),
)


@given(REPORTS)
def test_a_report_comes_back_from_json_as_it_was(report: Health) -> None:
    assert health.parse(report.to_json()) == report
    assert health.parse(report.to_json().encode()) == report


@given(st.binary())
def test_bytes_that_are_no_report_are_malformed(value: bytes) -> None:
    assert isinstance(health.parse(value), Malformed)


@pytest.mark.parametrize(
    "value",
    [
        *(None, "", "null", "[]", "5", '"text"', "{}", '{"part":"tables"}', '{"part":"tables"'),
        '{"part":"tables","at":"now","state":"live"}',
        '{"part":"tables","at":1,"state":"live","rows":{"users_ui":"many"}}',
    ],
)
def test_json_that_is_no_report_is_malformed(value: str | None) -> None:
    assert isinstance(health.parse(value), Malformed)


def test_what_a_newer_part_reports_beside_is_ignored() -> None:
    fields = {"part": "tables", "at": 1.0, "state": "live"}
    assert health.parse(json.dumps(fields)) == Health("tables", 1.0, "live")
    assert health.parse(json.dumps({**fields, "colour": "red"})) == Health("tables", 1.0, "live")
    figures = [["up", 1, "", 0, "", 0, "", "more"], ["up", 2]]
    report = health.parse(json.dumps({**fields, "figures": figures}))
    assert isinstance(report, Health)
    assert report.figures == (Figure("up", 1, partition=0), Figure("up", 2))


def test_a_part_may_miss_a_report_or_two_before_it_is_taken_for_gone() -> None:
    assert health.STALE >= 3 * health.EVERY


@pytest.mark.parametrize(
    "figures",
    ["5", "[5]", '["up"]', '[["up"]]', '[["up", "1"]]', '[["up", 1, "", "0"]]'],
)
def test_a_report_with_figures_that_are_none_is_malformed(figures: str) -> None:
    report = f'{{"part":"a","at":1,"state":"b","figures":{figures}}}'
    assert isinstance(health.parse(report), Malformed)


def tables(at: float, *figures: Figure) -> Health:
    return Health("tables", at, "live", figures=figures)


def events(value: float, generation: int = 1, partition: int = 0) -> Figure:
    return Figure("events", value, "customers", generation, "users", partition)


def shown(reports: Reports, now: float, measure: str) -> list[float]:
    return [figure.value for _, figure in reports.figures(now) if figure.measure == measure]


def test_the_newest_figures_of_each_part_are_shown() -> None:
    reports = Reports()
    reports.take(tables(1, events(10), Figure("lag", 5, "customers", 1, "users", 0)))
    reports.take(Health("pipeline", 2, "running", figures=(Figure("restarts", 1, "customers", 1),)))
    reports.take(tables(3, events(30), Figure("lag", 2, "customers", 1, "users", 0)))
    found = [(part, figure.measure, figure.value) for part, figure in reports.figures(4)]
    assert found == [
        ("pipeline", "up", 1),
        ("pipeline", "restarts", 1),
        ("tables", "up", 1),
        ("tables", "events", 30),
        ("tables", "lag", 2),
        ("tables", "events_per_second", 10),
    ]


def test_a_part_that_is_silent_is_down_and_its_figures_are_gone() -> None:
    reports = Reports()
    assert list(reports.figures(0)) == [(part, Figure("up", 0)) for part in health.PARTS]
    reports.take(tables(100, events(10)))
    assert shown(reports, 100 + health.STALE, "events") == [10]
    assert shown(reports, 101 + health.STALE, "events") == []
    assert shown(reports, 101 + health.STALE, "up") == [0, 0]


def test_a_counter_does_not_fall_when_a_part_counts_again_but_what_is_no_counter_does() -> None:
    reports = Reports()
    lag = Figure("lag", 9, "customers", 1, "users", 0)
    reports.take(tables(1, events(10), lag))
    for at, value in ((2, 4), (3, 7), (4, 12)):
        reports.take(tables(at, events(value), Figure("lag", 0, "customers", 1, "users", 0)))
        assert shown(reports, at, "events") == [max(value, 10)]
        assert shown(reports, at, "lag") == [0]
    assert shown(reports, 4, "events_per_second") == [2]


def test_counters_are_kept_while_a_part_is_away_and_forgotten_with_their_generation() -> None:
    reports = Reports()
    restarts = Figure("restarts", 0, "customers", 1)
    reports.take(tables(1, events(10), events(5, partition=1)))
    reports.take(Health("pipeline", 50, "running", figures=(restarts,)))
    # Nothing is known yet, or it has just begun to count.
    reports.take(tables(50))
    reports.take(tables(52, events(2)))
    assert shown(reports, 52, "events") == [10]
    swap = Figure("last_swap_seconds", 2.5, "customers", 1, label="flip")
    reports.take(Health("pipeline", 54, "running", figures=(swap,)))
    reports.take(tables(54, events(3, generation=2)))
    assert shown(reports, 54, "events_per_second") == []
    assert [f.generation for _, f in reports.figures(54) if f.measure == "events"] == [2]
    reports.take(tables(56, events(1)))
    assert shown(reports, 56, "events") == [1]


def test_events_per_second_are_of_a_whole_generation() -> None:
    reports = Reports()
    reports.take(tables(10, events(100), events(50, partition=1)))
    assert shown(reports, 10, "events_per_second") == []
    reports.take(tables(12, events(110), events(51, partition=1), events(7, generation=2)))
    rates = [f for _, f in reports.figures(12) if f.measure == "events_per_second"]
    assert rates == [Figure("events_per_second", 5.5, "customers", 1)]

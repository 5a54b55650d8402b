"""Replicas of the tables: the name that each has at a home folder, and what is known of them."""

from __future__ import annotations

from pathlib import Path

from tidegrid.contract import health
from tidegrid.contract.health import Figure, Health, Reports
from tidegrid.machine.home import name_at, open_place, take_first_free


def test_each_of_several_at_a_home_has_a_name_and_keeps_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with open_place(home, "tables", 1) as first, open_place(home, "tables", 2) as second:
        assert take_first_free([first]) is first
        with open_place(home, "tables", 1) as other:
            assert take_first_free([other]) is None
            # As those do who come next.
            assert take_first_free([other, second]) is second
        names = name_at(first), name_at(second)
        assert len({*names, ""}) == 3
    with open_place(home, "tables", 1) as again:
        assert take_first_free([again]) is again
        assert name_at(again) == names[0]
    # A pipeline at this home has others.
    with open_place(home, "pipeline", 1) as pipeline:
        assert take_first_free([pipeline]) is pipeline
        assert name_at(pipeline) not in names


def up(reports: Reports, now: float) -> dict[str, float]:
    return {part: f.value for part, f in reports.figures(now) if f.measure == "up"}


def test_there_are_as_many_replicas_as_report_and_each_is_a_part() -> None:
    assert not any(map(health.is_replica, (*health.PARTS, health.SECOND)))
    one, two = (health.replica(place) for place in ("here:10000", "there:10000"))
    reports = Reports()
    counted = Figure("events", 10, "customers", 1, "users", 0)
    reports.take(Health("tables", 1, "live", figures=(counted,)))
    for part in (one, two):
        reports.take(Health(part, 2, "live"))
    assert up(reports, 3) == {"pipeline": 0, "tables": 1, one: 1, two: 1}
    reports.take(Health(two, 2 + health.STALE, "live"))
    # Nobody says how many there should be: a silent one is not missed, unlike a part.
    assert up(reports, 3 + health.STALE) == {"pipeline": 0, "tables": 0, two: 1}
    assert reports.state(one, 3) is not None
    reports.take(Health(two, 3 + health.STALE, "live"))
    assert reports.state(one, 3) is None

"""How long to wait before another try."""

from __future__ import annotations

from tidegrid.retry import Retry


def test_waits_grow_to_the_longest() -> None:
    retry = Retry(first=1, longest=5)
    assert [retry.wait() for _ in range(5)] == [1, 2, 4, 5, 5]


def test_after_it_went_well_waits_are_short_again() -> None:
    retry = Retry(first=0.5, longest=30)
    assert [retry.wait(), retry.wait(well=29), retry.wait(well=31)] == [0.5, 1, 0.5]
    retry.restore()
    assert retry.wait() == 0.5

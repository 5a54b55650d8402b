"""How long to wait before another try."""

from __future__ import annotations

from tidegrid.patience import Patience


def test_waits_grow_to_the_longest() -> None:
    patience = Patience(first=1, longest=5)
    assert [patience.wait() for _ in range(5)] == [1, 2, 4, 5, 5]


def test_after_it_went_well_waits_are_short_again() -> None:
    patience = Patience(first=0.5, longest=30)
    assert [patience.wait(), patience.wait(well=29), patience.wait(well=31)] == [0.5, 1, 0.5]
    patience.restore()
    assert patience.wait() == 0.5

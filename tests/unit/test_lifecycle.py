"""The states of a generation: which may follow which, and who writes them."""

from __future__ import annotations

import itertools
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidegrid.contract.lifecycle import (
    PENDING,
    RUNNING,
    STATES,
    Part,
    State,
    may_follow,
    may_write,
)

ALL = get_args(State)
PARTS = get_args(Part)


@given(st.lists(st.sampled_from(ALL), max_size=30))
def test_a_life_begins_once_and_ends_once(written: list[State]) -> None:
    taken: list[State] = []
    for state in written:
        if may_follow(state, taken[-1] if taken else None):
            taken.append(state)
    assert taken[:1] in ([], ["building"])
    assert "building" not in taken[1:]
    assert all(state in RUNNING for state in taken[:-1])
    for before, state in itertools.pairwise(taken):
        # Nothing is shown that has not caught up, and nothing lingers that was not shown.
        assert state != "live" or before in PENDING
        assert state != "lingering" or before == "live"


@pytest.mark.parametrize("state", ALL)
def test_every_state_can_be_reached_and_left_unless_it_is_an_end(state: State) -> None:
    assert STATES[state].by
    assert STATES[state].after
    followers = [later for later in ALL if may_follow(later, state)]
    assert bool(followers) == (state in RUNNING)
    if state in RUNNING:
        assert {"closed", "refused", "failed"} <= set(followers)


def test_the_pipeline_begins_and_ends_and_the_tables_show() -> None:
    assert {s for s in ALL if may_write("tables", s)} == {"caught-up", "live", "failed"}
    assert {s for s in ALL if not may_write("pipeline", s)} == {"live"}
    assert all(any(may_write(part, state) for part in PARTS) for state in ALL)

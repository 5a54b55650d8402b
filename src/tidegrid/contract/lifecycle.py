"""Lifecycle: the states of a generation, which may follow which, and which part writes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

State = Literal["building", "caught-up", "live", "lingering", "closed", "refused", "failed"]
Part = Literal["pipeline", "tables"]

#: States in which a generation has queries, topics and tables.
RUNNING: tuple[State, ...] = ("building", "caught-up", "live", "lingering")
#: States on the way to being live.
PENDING: tuple[State, ...] = ("building", "caught-up")


@dataclass(frozen=True)
class Rule:
    """Who writes a state, and which states it may follow."""

    by: tuple[Part, ...]
    #: None means that it is the first.
    after: tuple[State | None, ...]


STATES: Mapping[State, Rule] = {
    "building": Rule(("pipeline",), (None,)),
    # The tables have read it to its end; or the pipeline goes back to it. Compaction drops the
    # `lingering` before that when a later one is written, so it may seem to follow `live`.
    "caught-up": Rule(("pipeline", "tables"), ("building", "lingering", "live")),
    "live": Rule(("tables",), PENDING),
    "lingering": Rule(("pipeline",), ("live",)),
    # Each of these is the end, so nothing follows them: a part that had not heard of the end may
    # have written on.
    "closed": Rule(("pipeline",), RUNNING),
    "refused": Rule(("pipeline",), RUNNING),
    "failed": Rule(("pipeline", "tables"), RUNNING),
}


def may_follow(state: State, before: State | None) -> bool:
    """Whether a generation may come into a state; `before` is None if it has no receipt yet."""
    return before in STATES[state].after


def may_write(part: Part, state: State) -> bool:
    """Whether a part may write receipts of a state."""
    return part in STATES[state].by

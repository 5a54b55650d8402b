"""Which generation to go on with: decided from the receipts alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tidegrid.contract.receipts import Receipt, State
from tidegrid.pipeline.orchestrator import resume
from tidegrid.settings import Customers, Settings

SETTINGS = Settings(customers=Customers(users_topic="people", accounts_topic="money"))
BUILDING = Receipt(
    flow="customers",
    generation=3,
    state="building",
    at="2026-01-01T00:00:00.000+00:00",
    sources={"users": "people", "accounts": "money"},
    start={"people": {"0": 5}, "money": {"0": 0}},
    end={"people": {"0": 9}, "money": {"0": 4}},
)


def steps(*states: State, of: Receipt = BUILDING) -> list[Receipt]:
    return [replace(of, state=state) for state in states]


def test_without_receipts_a_new_generation_is_due() -> None:
    assert resume(SETTINGS, []) is None


@pytest.mark.parametrize("states", [(), ("caught-up",), ("caught-up", "live")])
def test_a_generation_of_the_same_topics_goes_on_from_its_own_offsets(
    states: tuple[State, ...],
) -> None:
    # What tables writes later need not repeat where the build began.
    later = steps(*states, of=replace(BUILDING, start={}, end={}))
    assert resume(SETTINGS, [BUILDING, *later]) == BUILDING


@pytest.mark.parametrize(
    "customers",
    [
        replace(SETTINGS.customers, users_topic="people2"),
        replace(SETTINGS.customers, accounts_topic="money2"),
        replace(SETTINGS.customers, users_topic="money", accounts_topic="people"),
        replace(SETTINGS.customers, join="inner"),
    ],
)
def test_other_topics_or_another_join_need_a_new_generation(customers: Customers) -> None:
    known = steps("building", "caught-up", "live")
    assert resume(replace(SETTINGS, customers=customers), known) is None


@pytest.mark.parametrize("state", ["closed", "failed"])
def test_a_generation_that_is_over_is_not_taken_up_again(state: State) -> None:
    assert resume(SETTINGS, steps("building", state)) is None
    assert resume(SETTINGS, steps("building", "caught-up", "live", state)) is None


def test_only_the_highest_generation_is_taken_up() -> None:
    newer = replace(BUILDING, generation=4, sources={"users": "people2", "accounts": "money"})
    known = [*steps("building", "caught-up", "live"), newer]
    assert resume(SETTINGS, known) is None
    back = replace(BUILDING, generation=5)
    assert resume(SETTINGS, [*known, back]) == back


def test_a_refused_generation_does_not_stand_in_the_way() -> None:
    refused = replace(BUILDING, generation=4, state="refused", sources={"users": "other"})
    assert resume(SETTINGS, [*steps("building", "live"), refused]) == BUILDING


def test_receipts_of_other_flows_do_not_count() -> None:
    other = replace(BUILDING, flow="positions", generation=9)
    assert resume(SETTINGS, [other]) is None
    assert resume(SETTINGS, [BUILDING, other]) == BUILDING


def test_a_generation_without_its_first_receipt_cannot_go_on() -> None:
    assert resume(SETTINGS, steps("caught-up", "live")) is None

"""What to go on with after a start: decided from the receipts alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tidegrid.contract.control import Build
from tidegrid.contract.receipts import Ledger, Receipt, State
from tidegrid.pipeline.customers_flow import FLOW
from tidegrid.pipeline.due import as_asked, due
from tidegrid.settings import Customers, Settings

SETTINGS = Settings(customers=Customers(users_topic="people", accounts_topic="money"))
BUILDING = Receipt(
    flow="customers",
    generation=3,
    state="building",
    at="2026-01-01T00:00:00.000+00:00",
    sources={"users": "people", "accounts": "money"},
    recipe=FLOW.recipe(SETTINGS),
)
SWAPPED = replace(
    BUILDING, generation=4, sources={"users": "people2", "accounts": "money"}, control=0
)


def steps(*states: State, of: Receipt = BUILDING) -> list[Receipt]:
    return [replace(of, state=state) for state in states]


def starts_anew(settings: Settings, known: list[Receipt]) -> bool:
    wanted = due(FLOW, settings, Ledger(known))
    assert wanted is None or wanted[1] == -1
    assert wanted is None or wanted[0] == FLOW.wanted(settings)
    return wanted is not None


def test_without_receipts_a_generation_is_due() -> None:
    assert starts_anew(SETTINGS, [])


def test_without_topics_nothing_is_due_and_what_runs_goes_on() -> None:
    none = Settings(customers=Customers(users_topic="", accounts_topic=""))
    assert due(FLOW, none, Ledger([])) is None
    assert due(FLOW, none, Ledger([BUILDING, *steps("caught-up", "live")])) is None


@pytest.mark.parametrize("states", [(), ("caught-up",), ("caught-up", "live")])
def test_a_generation_of_the_same_topics_goes_on(states: tuple[State, ...]) -> None:
    assert not starts_anew(SETTINGS, [BUILDING, *steps(*states)])


@pytest.mark.parametrize(
    "customers",
    [
        replace(SETTINGS.customers, users_topic="people2"),
        replace(SETTINGS.customers, accounts_topic="money2"),
        replace(SETTINGS.customers, users_topic="money", accounts_topic="people"),
        replace(SETTINGS.customers, join="inner"),
    ],
)
def test_other_settings_need_a_new_generation(customers: Customers) -> None:
    known = steps("building", "caught-up", "live")
    assert starts_anew(replace(SETTINGS, customers=customers), known)


def test_what_a_message_asked_for_stays_until_the_settings_change() -> None:
    known = steps("building", "live", "closed") + steps("building", "live", of=SWAPPED)
    assert not starts_anew(SETTINGS, known)
    other = replace(SETTINGS, customers=replace(SETTINGS.customers, users_topic="people3"))
    assert starts_anew(other, known)


@pytest.mark.parametrize("state", ["closed", "failed", "refused"])
def test_a_generation_that_is_over_is_not_taken_up_again(state: State) -> None:
    assert starts_anew(SETTINGS, steps("building", state))
    assert starts_anew(SETTINGS, steps("building", "caught-up", "live", state))


def test_a_refused_message_does_not_stand_in_the_way() -> None:
    refused = replace(BUILDING, generation=0, state="refused", control=7)
    assert not starts_anew(SETTINGS, [*steps("building", "live"), refused])


def test_receipts_of_other_flows_do_not_count() -> None:
    other = replace(BUILDING, flow="positions", generation=9)
    assert starts_anew(SETTINGS, [other])
    assert not starts_anew(SETTINGS, [BUILDING, other])


@pytest.mark.parametrize(
    "customers",
    [
        replace(SETTINGS.customers, encoding="base64"),
        replace(SETTINGS.customers, event_list=7),
        replace(SETTINGS.customers, as_of_depth=2),
    ],
)
def test_what_is_live_is_built_anew_when_other_settings_shape_its_rows(
    customers: Customers,
) -> None:
    known = Ledger(steps("building", "live", "closed") + steps("building", "live", of=SWAPPED))
    other = replace(SETTINGS, customers=customers)
    assert due(FLOW, other, known) == (Build(SWAPPED.sources, "left", "earliest"), SWAPPED.control)


def test_what_another_version_left_is_built_anew() -> None:
    old = replace(BUILDING, recipe={**BUILDING.recipe, "format": "0"})
    assert due(FLOW, SETTINGS, Ledger(steps("building", "live", of=old))) is not None
    older = replace(BUILDING, recipe={})
    assert due(FLOW, SETTINGS, Ledger(steps("building", of=older))) is not None


def test_what_is_built_anew_begins_where_it_was_asked_to() -> None:
    from_a_time = replace(BUILDING, starting="2026-01-01T00:00:00Z")
    assert as_asked(from_a_time) == Build(BUILDING.sources, BUILDING.join, from_a_time.starting)
    # From the end as it was then, not as it is now.
    assert as_asked(replace(BUILDING, starting="latest")).starting == BUILDING.at

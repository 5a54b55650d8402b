"""What to go on with after a start: decided from the files and the receipts alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tidegrid.contract.control import Build
from tidegrid.contract.declaration.files import with_topics
from tidegrid.contract.lifecycle import State
from tidegrid.contract.receipts import Ledger, Receipt
from tidegrid.pipeline.due import REMOVED, as_asked, due
from tidegrid.pipeline.generation import recipe
from tidegrid.settings import Settings

RECIPE = recipe(Settings())
TOPICS = {"users": "people", "accounts": "money"}
DOCUMENT = with_topics(Settings().declared()["customers"], TOPICS, "left")
NOWHERE = with_topics(DOCUMENT, dict.fromkeys(TOPICS, ""), "")
WANTED = Build(DOCUMENT, TOPICS, "left")
BUILDING = Receipt(
    flow="customers",
    generation=3,
    state="building",
    at="2026-01-01T00:00:00.000+00:00",
    sources=TOPICS,
    recipe=RECIPE,
    declaration=DOCUMENT,
)
SWAPPED = replace(BUILDING, generation=4, sources={**TOPICS, "users": "people2"}, control=0)


def steps(*states: State, of: Receipt = BUILDING) -> list[Receipt]:
    return [replace(of, state=state) for state in states]


def found(known: list[Receipt], document: dict[str, Any] | None = DOCUMENT) -> Any:
    return due("customers", document, RECIPE, Ledger(known))


def test_without_receipts_a_generation_is_due() -> None:
    assert found([]) == (WANTED, -1)


def test_without_topics_or_a_file_nothing_is_due_and_what_runs_goes_on() -> None:
    for document in (None, NOWHERE):
        assert found([], document) is None
        assert found(steps("building", "caught-up", "live"), document) is None


@pytest.mark.parametrize("states", [(), ("caught-up",), ("caught-up", "live")])
def test_a_generation_of_the_same_file_goes_on(states: tuple[State, ...]) -> None:
    assert found([BUILDING, *steps(*states)]) is None


@pytest.mark.parametrize(
    ("topics", "join"),
    [
        ({"users": "people2"}, "left"),
        ({"accounts": "money2"}, "left"),
        ({"users": "money", "accounts": "people"}, "left"),
        ({}, "inner"),
    ],
)
def test_other_topics_or_another_join_in_the_file_count(topics: dict[str, str], join: str) -> None:
    other = with_topics(DOCUMENT, topics, join)
    wanted = Build(other, {**TOPICS, **topics}, join), -1
    assert found(steps("building", "caught-up", "live"), other) == wanted
    swapped = steps("building", "live", "closed") + steps(
        "building", "live", of=replace(SWAPPED, sources={"users": "x", "accounts": "y"})
    )
    assert found(swapped, other) == wanted


def test_what_a_message_asked_for_stays_until_the_file_changes() -> None:
    known = steps("building", "live", "closed") + steps("building", "live", of=SWAPPED)
    assert found(known) is None
    other = with_topics(DOCUMENT, {"users": "people3"}, "")
    assert found(known, other) == (Build(other, {**TOPICS, "users": "people3"}, "left"), -1)


def test_a_file_with_the_same_topics_is_built_with_those_that_are_live() -> None:
    known = steps("building", "live", "closed") + steps("building", "live", of=SWAPPED)
    other = {**DOCUMENT, "title": "People"}
    assert found(known, other) == (Build(other, SWAPPED.sources, "left"), -1)
    # Once that runs, the file is what it was.
    after = replace(SWAPPED, generation=5, declaration=other, control=-1)
    assert found([*known, *steps("building", "live", of=after)], other) is None


def test_a_declaration_from_a_message_stays_until_the_file_changes() -> None:
    applied = replace(SWAPPED, declaration={**DOCUMENT, "title": "From a message"})
    known = steps("building", "live", "closed") + steps("building", "live", of=applied)
    assert found(known) is None
    other = {**DOCUMENT, "title": "From the file"}
    assert found(known, other) == (Build(other, SWAPPED.sources, "left"), -1)


def test_a_file_that_says_what_a_message_said_changes_nothing() -> None:
    applied = replace(BUILDING, control=7)
    assert found(steps("building", "live", of=applied)) is None
    other = {**DOCUMENT, "title": "Another"}
    assert found(steps("building", "live", of=applied), other) == (
        replace(WANTED, document=other),
        -1,
    )


@pytest.mark.parametrize("state", ["closed", "failed", "refused"])
def test_a_generation_that_is_over_is_not_taken_up_again(state: State) -> None:
    assert found(steps("building", state)) == (WANTED, -1)
    assert found(steps("building", "caught-up", "live", state)) == (WANTED, -1)


def test_a_flow_that_was_removed_stays_so_until_its_file_changes() -> None:
    closed = replace(SWAPPED, state="closed", control=9, reason=f"{REMOVED} 9")
    removed = [*steps("building", "live", "closed"), *steps("building", "live", of=SWAPPED), closed]
    assert found(removed) is None
    assert found(removed, None) is None
    other = {**DOCUMENT, "title": "People"}
    assert found(removed, other) == (Build(other, TOPICS, "left"), -1)
    moved = with_topics(DOCUMENT, {"users": "people3"}, "")
    assert found(removed, moved) == (Build(moved, {**TOPICS, "users": "people3"}, "left"), -1)
    # One that a message brought back and that failed is not removed any more.
    again = replace(SWAPPED, generation=5, control=10)
    assert found([*removed, *steps("building", "failed", of=again)]) == (WANTED, -1)


def test_a_refused_message_does_not_stand_in_the_way() -> None:
    refused = replace(BUILDING, generation=0, state="refused", control=7)
    assert found([*steps("building", "live"), refused]) is None


def test_receipts_of_other_flows_do_not_count() -> None:
    other = replace(BUILDING, flow="positions", generation=9)
    assert found([other]) == (WANTED, -1)
    assert found([BUILDING, other]) is None


def test_what_is_live_is_built_anew_when_other_settings_shape_its_rows() -> None:
    known = Ledger(steps("building", "live", "closed") + steps("building", "live", of=SWAPPED))
    for other in ("max_value_bytes", "shuffle_partitions"):
        wanted = due("customers", DOCUMENT, {**RECIPE, other: "7"}, known)
        assert wanted == (Build(DOCUMENT, SWAPPED.sources, "left"), SWAPPED.control)
        assert due("customers", None, {**RECIPE, other: "7"}, known) == wanted


def test_what_another_version_left_is_built_anew_with_its_topics() -> None:
    old = replace(SWAPPED, recipe={"format": "0"})
    known = steps("building", "live", of=old)
    assert found(known, None) == (Build(DOCUMENT, SWAPPED.sources, "left"), SWAPPED.control)
    first = replace(BUILDING, recipe={"format": "3"}, declaration={})
    older = replace(SWAPPED, recipe={"format": "3"}, declaration={})
    known = steps("building", "live", "closed", of=first) + steps("building", "live", of=older)
    assert found(known) == (Build(DOCUMENT, SWAPPED.sources, "left"), SWAPPED.control)
    assert found(known, None) is None
    moved = with_topics(DOCUMENT, {"users": "people3"}, "")
    assert found(known, moved) == (Build(moved, {**TOPICS, "users": "people3"}, "left"), -1)


def test_what_is_built_anew_begins_where_it_was_asked_to() -> None:
    from_a_time = replace(BUILDING, starting="2026-01-01T00:00:00Z")
    assert as_asked(from_a_time) == replace(WANTED, starting=from_a_time.starting)
    # From the end as it was then, not as it is now.
    assert as_asked(replace(BUILDING, starting="latest")).starting == BUILDING.at


def test_what_began_at_the_latest_is_rebuilt_from_when_it_began() -> None:
    """Else all rows since then would be gone after a start with a changed file or setting."""
    latest = replace(BUILDING, starting="latest")
    known = steps("building", "caught-up", "live", of=latest)
    build, _ = found(known, {**DOCUMENT, "title": "Another"})
    assert (build.document["title"], build.starting) == ("Another", latest.at)
    changed = due("customers", DOCUMENT, {**RECIPE, "max_value_bytes": "1"}, Ledger(known))
    assert changed is not None
    assert changed[0].starting == latest.at

"""The contract of the views: what the stages may rely on."""

from __future__ import annotations

import re

import pytest

from tidegrid.contract import topics
from tidegrid.contract.declaration import parse
from tidegrid.contract.declaration.files import documents
from tidegrid.contract.declaration.types import Buckets
from tidegrid.contract.layout import layout, ring
from tidegrid.contract.views import CAUSE, SHOWS, SLOT, Changelog, Layout, View
from tidegrid.settings import SHIPPED_FLOWS

_TYPES = {"positions": {"instrument": "string", "key": "string"}}
FLOWS = {
    name: layout(parse(document, name), _TYPES)  # type: ignore[arg-type]
    for name, document in documents([SHIPPED_FLOWS], [], {"home": "home"}).items()
}

CHANGELOGS = [
    pytest.param(flow, changelog, id=f"{name}-{changelog.name}")
    for name, flow in FLOWS.items()
    for changelog in flow.changelogs
]
VIEWS = [
    pytest.param(flow, view, id=f"{name}-{view.name}")
    for name, flow in FLOWS.items()
    for view in flow.views
]


def own_topics() -> list[str]:
    return [
        topics.changelog(name, 12, c.name) for name, flow in FLOWS.items() for c in flow.changelogs
    ]


@pytest.mark.parametrize(("flow", "view"), VIEWS)
def test_a_view_takes_its_columns_from_a_changelog(flow: Layout, view: View) -> None:
    assert flow.view(view.name) is view
    changelog = flow.changelog(view.changelog)
    assert set(view.columns.values()) <= set(changelog.columns)


@pytest.mark.parametrize(("flow", "view"), VIEWS)
def test_a_view_says_where_each_row_came_from(flow: Layout, view: View) -> None:
    assert flow.changelog(view.changelog).columns[view.columns["ts"]] == "time"
    assert set(CAUSE) <= set(view.columns)


@pytest.mark.parametrize(("flow", "view"), VIEWS)
def test_a_view_is_made_of_its_key_and_its_parts(flow: Layout, view: View) -> None:
    changelog = flow.changelog(view.changelog)
    in_parts = [name for part in view.parts for name in part.columns]
    assert len(set(in_parts)) == len(in_parts)
    assert not set(view.key) & set(in_parts)
    assert set(view.columns.values()) <= {*view.key, *in_parts}
    assert set(view.needs) <= set(in_parts)
    # The tables make the slot of the offset.
    assert {*view.key, *in_parts} <= {*changelog.columns, SLOT}


@pytest.mark.parametrize(("flow", "view"), VIEWS)
def test_versions_are_numbers_or_times(flow: Layout, view: View) -> None:
    changelog = flow.changelog(view.changelog)
    for part in view.parts:
        assert part.version
        assert {changelog.columns[name] for name in part.version} <= {
            "int",
            "long",
            "time",
            "nanos",
        }


@pytest.mark.parametrize(("flow", "changelog"), CHANGELOGS)
def test_views_of_one_changelog_are_told_apart(flow: Layout, changelog: Changelog) -> None:
    views = [v for v in flow.views if v.changelog == changelog.name]
    assert len(views) == 1 or all(len(v.letter) == 1 for v in views)
    assert len(views) == 1 or changelog.columns[SHOWS] == "string"


@pytest.mark.parametrize(("flow", "changelog"), CHANGELOGS)
def test_a_changelog_names_the_record_that_caused_a_row(flow: Layout, changelog: Changelog) -> None:
    assert changelog.columns.items() >= CAUSE.items(), flow


@pytest.mark.parametrize(("flow", "changelog"), CHANGELOGS)
def test_a_changelog_has_a_view(flow: Layout, changelog: Changelog) -> None:
    assert changelog.name in {v.changelog for v in flow.views}


def test_names_are_unique() -> None:
    for flow in FLOWS.values():
        views = [v.name for v in flow.views]
        assert len(set(views)) == len(views)
        assert all(name.isidentifier() for name in views)
    every = own_topics()
    every += [topics.RECEIPTS, topics.HEALTH]
    # Kafka refuses a topic that differs from another only by a dot for an underscore.
    assert len({t.replace(".", "_") for t in every}) == len(every)


def test_topic_names_are_legal() -> None:
    every = own_topics()
    for topic in [*every, topics.RECEIPTS, topics.HEALTH]:
        assert re.fullmatch(r"[A-Za-z0-9._-]{1,249}", topic)
        assert topic.startswith(topics.PREFIX)


def test_the_topics_of_two_generations_are_told_apart_by_their_prefix() -> None:
    one, eleven = (topics.changelog("customers", n, "") for n in (1, 11))
    assert topics.changelog("customers", 1, "users").startswith(one)
    assert not topics.changelog("customers", 11, "users").startswith(one)
    assert not topics.changelog("customers", 1, "users").startswith(eleven)


def test_an_unknown_changelog_is_an_error() -> None:
    flow = next(iter(FLOWS.values()))
    with pytest.raises(StopIteration):
        flow.changelog("none of ours")


def test_the_two_lists_of_account_events_share_their_rows() -> None:
    views = FLOWS["customers"].views
    assert FLOWS["customers"].view("account").kept == FLOWS["customers"].view("user_account").kept
    assert len({view.kept for view in views}) == len(views) - 1


@pytest.mark.parametrize(("every", "keep"), [(5, 900), (60, 60), (3600, 3600), (400, 1200)])
def test_a_slice_stays_in_its_ring_until_it_is_too_old(every: int, keep: int) -> None:
    # A record may be a minute ahead, and one of the oldest slice a few minutes late.
    view = Buckets("sliced", "orders", by=("channel",), every=every, keep=keep)
    newest, oldest = 60 // every + 1, keep // every + 1
    assert ring(view) >= newest + oldest

"""The contract of the views: what the stages may rely on."""

from __future__ import annotations

import re

import pytest

from tidegrid.contract import health, topics
from tidegrid.contract.views import FLOWS, SOURCE, Changelog, Flow, View

CHANGELOGS = [
    pytest.param(flow, changelog, id=f"{flow.name}-{changelog.name}")
    for flow in FLOWS.values()
    for changelog in flow.changelogs
]
VIEWS = [
    pytest.param(flow, view, id=f"{flow.name}-{view.name}")
    for flow in FLOWS.values()
    for view in flow.views
]


def own_topics(flow: Flow) -> list[str]:
    names = [c.name for c in flow.changelogs]
    return [topics.changelog(flow.name, 12, name) for name in names]


@pytest.mark.parametrize(("flow", "view"), VIEWS)
def test_a_view_takes_its_columns_from_a_changelog(flow: Flow, view: View) -> None:
    assert flow.view(view.name) is view
    changelog = flow.changelog(view.changelog)
    assert set(view.columns.values()) <= set(changelog.columns)


@pytest.mark.parametrize(("flow", "view"), VIEWS)
def test_a_view_says_where_each_row_came_from(flow: Flow, view: View) -> None:
    assert flow.changelog(view.changelog).columns[view.columns["ts"]] == "time"
    assert {*SOURCE, "ts"} <= set(view.columns)


@pytest.mark.parametrize(("flow", "view"), VIEWS)
def test_a_view_is_made_of_its_key_and_its_parts(flow: Flow, view: View) -> None:
    changelog = flow.changelog(view.changelog)
    in_parts = [name for part in view.parts for name in part.columns]
    assert len(set(in_parts)) == len(in_parts)
    assert not set(view.key) & set(in_parts)
    assert set(view.columns.values()) <= {*view.key, *in_parts}
    assert set(view.needs) <= set(in_parts)
    # The tables make `slot` of the offset.
    assert {*view.key, *in_parts} <= {*changelog.columns, "slot"}


@pytest.mark.parametrize(("flow", "view"), VIEWS)
def test_versions_are_numbers_or_times(flow: Flow, view: View) -> None:
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
def test_views_of_one_changelog_are_told_apart(flow: Flow, changelog: Changelog) -> None:
    views = [v for v in flow.views if v.changelog == changelog.name]
    assert len(views) == 1 or all(len(v.letter) == 1 for v in views)
    assert len(views) == 1 or changelog.columns["shows"] == "string"


@pytest.mark.parametrize(("flow", "changelog"), CHANGELOGS)
def test_a_changelog_names_the_record_that_caused_a_row(flow: Flow, changelog: Changelog) -> None:
    assert changelog.columns.items() >= SOURCE.items(), flow.name


@pytest.mark.parametrize(("flow", "changelog"), CHANGELOGS)
def test_a_changelog_has_a_view(flow: Flow, changelog: Changelog) -> None:
    assert changelog.name in {v.changelog for v in flow.views}


def test_names_are_unique() -> None:
    assert all(name == flow.name for name, flow in FLOWS.items())
    for flow in FLOWS.values():
        views = [v.name for v in flow.views]
        assert len(set(views)) == len(views)
        assert all(name.isidentifier() for name in views)
    every = [t for flow in FLOWS.values() for t in own_topics(flow)]
    every += [topics.RECEIPTS, health.TOPIC]
    # Kafka refuses a topic that differs from another only by a dot for an underscore.
    assert len({t.replace(".", "_") for t in every}) == len(every)


def test_topic_names_are_legal() -> None:
    every = [t for flow in FLOWS.values() for t in own_topics(flow)]
    for topic in [*every, topics.RECEIPTS, health.TOPIC]:
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

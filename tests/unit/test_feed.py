"""The sample data: repeatable, lively, and bad where it says so."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from itertools import islice

import pytest

from tidegrid.feed.bad import huge
from tidegrid.feed.event import Event, Kind
from tidegrid.feed.people import BAD, SPOILED, People

KINDS: tuple[Kind, ...] = ("users", "accounts")


def usable(kind: Kind, value: bytes | None) -> bool:
    """Judge a record by the description of the sources alone, not by how the pipeline does it."""

    def refuse(word: str) -> None:
        raise ValueError(word)

    if len(value or b"") > 65536:
        return False
    try:
        fields = json.loads((value or b"").decode("utf-8"), parse_constant=refuse)
    except ValueError:
        return False
    if not isinstance(fields, dict):
        return False
    needed = ("userId",) if kind == "users" else ("userId", "accountType")
    for name in needed:
        if not isinstance(fields.get(name), str) or not fields[name].strip():
            return False
    if kind == "accounts":
        balance = fields.get("balance")
        return balance is None or (type(balance) in (int, float) and math.isfinite(balance))
    texts = (fields.get("name"), fields.get("email"))
    age = fields.get("age")
    return all(t is None or isinstance(t, str) for t in texts) and (age is None or type(age) is int)


def changes(seed: int, count: int, bad_ratio: float = 0.0, users: int = 50) -> list[Event]:
    return list(islice(People(seed, users, bad_ratio).changes(), count))


def by_user(events: list[Event], field: str) -> dict[str, set[object]]:
    found: dict[str, set[object]] = defaultdict(set)
    for event in events:
        fields = json.loads(event.value or b"")
        if field in fields:
            found[fields["userId"]].add(fields[field])
    return found


def test_the_same_seed_gives_the_same_events() -> None:
    one, other = People(7, 50, 0.1), People(7, 50, 0.1)
    assert list(one.everybody()) == list(other.everybody())
    assert list(islice(one.changes(), 2000)) == list(islice(other.changes(), 2000))


def test_another_seed_gives_other_events() -> None:
    assert list(People(7, 50, 0).everybody()) != list(People(8, 50, 0).everybody())
    assert changes(7, 200) != changes(8, 200)


def test_everybody_comes_once_with_each_of_their_accounts() -> None:
    events = list(People(7, 50, 1.0).everybody())
    assert all(usable(e.kind, e.value) for e in events)
    users = [json.loads(e.value or b"")["userId"] for e in events if e.kind == "users"]
    assert len(users) == len(set(users)) == 50
    accounts = [e.value for e in events if e.kind == "accounts"]
    types = by_user([e for e in events if e.kind == "accounts"], "accountType")
    assert set(types) <= set(users)
    assert sum(len(t) for t in types.values()) == len(accounts)


def test_some_users_have_several_accounts_and_some_have_none() -> None:
    events = list(People(7, 200, 0).everybody())
    types = by_user([e for e in events if e.kind == "accounts"], "accountType")
    assert max(len(t) for t in types.values()) >= 3
    assert len(types) < 200


def test_names_emails_and_balances_change() -> None:
    events = changes(7, 5000)
    for field in ("name", "email", "age", "balance"):
        several = [u for u, seen in by_user(events, field).items() if len(seen) > 1]
        assert len(several) > 10, field


def test_a_record_is_keyed_by_its_user() -> None:
    for event in changes(7, 500):
        assert event.key == json.loads(event.value or b"")["userId"].encode()


def test_without_bad_records_every_change_is_usable() -> None:
    assert all(usable(e.kind, e.value) for e in changes(7, 5000))


@pytest.mark.parametrize("ratio", [0.01, 0.1, 0.5])
def test_about_the_asked_share_of_changes_is_bad(ratio: float) -> None:
    count = 20_000
    bad = sum(not usable(e.kind, e.value) for e in changes(7, count, ratio))
    spread = math.sqrt(count * ratio * (1 - ratio))
    assert abs(bad - count * ratio) < 4 * spread


@pytest.mark.parametrize(
    ("kind", "number"), [(kind, number) for kind in KINDS for number in range(len(BAD[kind]))]
)
def test_a_bad_record_is_bad(kind: Kind, number: int) -> None:
    value = BAD[kind][number]({"userId": "U000001", **SPOILED[kind]})
    assert not usable(kind, value), value


def test_every_kind_of_bad_record_comes() -> None:
    seen = {(e.kind, e.value) for e in changes(7, 2000, 1.0, users=1)}
    expected = {
        (kind, spoil({"userId": "U000000", **SPOILED[kind]}))
        for kind in KINDS
        for spoil in (*BAD[kind], huge)
    }
    assert seen == expected


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("users", b'{"userId":"U1"}'),
        ("users", b'{"userId":"U1","name":null,"age":40,"more":[1]}'),
        ("accounts", b'{"userId":"U1","accountType":"SAVINGS","balance":-5}'),
    ],
)
def test_the_judge_takes_what_is_usable(kind: Kind, value: bytes) -> None:
    assert usable(kind, value)

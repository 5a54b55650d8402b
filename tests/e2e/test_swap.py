"""Swapping the topics under an open page, through all the real parts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import pytest
from playwright.sync_api import Page

from tests.browser import read_view, sign_in
from tests.stack import PSK, Stack, eventually
from tidegrid import kafka
from tidegrid.book import Book
from tidegrid.contract import control, receipts, topics
from tidegrid.contract.receipts import Life, Receipt
from tidegrid.errors import SwapError
from tidegrid.stack import swap

WORLD = {"usersTopic": "users", "accountsTopic": "accounts", "joinType": "left"}


def told(stack: Stack) -> list[Receipt]:
    found = (receipts.parse(m.value()) for m in kafka.read_all(stack.bootstrap, topics.RECEIPTS))
    return [r for r in found if r is not None]


def lives(stack: Stack) -> Mapping[int, Life]:
    return Book.read(stack.bootstrap).ledger.lives("customers")


def live(stack: Stack) -> int | None:
    return Book.read(stack.bootstrap).ledger.live("customers")


def make_world(stack: Stack, name: str, users: int, rounds: int = 1) -> dict[str, str]:
    """Make topics whose rows are all marked with their name."""
    sources = {"usersTopic": f"{name}.users", "accountsTopic": f"{name}.accounts"}
    kafka.ensure_topics(stack.bootstrap, dict.fromkeys(sources.values(), 2), {})
    for turn in range(rounds):
        for n in range(users):
            user = f"{name}-{n}"
            mark = f"{name} {turn}"
            stack.produce(sources["usersTopic"], {"userId": user, "name": mark})
            account: dict[str, object] = {"userId": user, "accountType": "CHK", "balance": turn}
            stack.produce(sources["accountsTopic"], account)
    stack.produce(sources["usersTopic"], b"junk", key="junk")
    stack.flush()
    return sources


def sent(stack: Stack, fields: dict[str, str]) -> list[str]:
    lines: list[str] = []
    swap.send(stack.settings, fields, lines.append)
    return lines


@pytest.fixture
def open_page(stack: Stack, page: Page) -> Iterator[Page]:
    """Open the page, signed in, and see that nothing reloads it."""
    page.goto(stack.url)
    sign_in(page, PSK)
    page.evaluate("window.neverReloaded = true")
    yield page
    assert page.evaluate("window.neverReloaded")


def names_shown(page: Page) -> set[str]:
    return {str(row[0]).split(" ")[0] for row in read_view(page, "final_ui", ["name"])}


def test_a_swap_shows_the_new_topics_and_a_rollback_the_old_ones(
    stack: Stack, open_page: Page
) -> None:
    eventually("rows of the old topics", lambda: read_view(open_page, "final_ui", ["name"]))
    before = live(stack)
    world = make_world(stack, "one", users=300)
    lines = sent(stack, world)
    assert re.search(r"building from one.users, one.accounts, 601 records", "\n".join(lines))
    assert lines[-1].endswith(": live")
    rows = eventually("new rows", lambda: read_view(open_page, "final_ui", ["name", "balance"]))
    assert {tuple(r) for r in rows} == {("one 0", 0)}
    assert len(rows) == 300
    after = live(stack)
    assert after is not None
    assert before is not None
    eventually("the old one lingers", lambda: lives(stack)[before].state == "lingering")

    sent(stack, {"action": "rollback", "flow": "customers"})
    assert live(stack) == before
    eventually("old rows", lambda: "one" not in names_shown(open_page))
    eventually("the newer one closed", lambda: lives(stack)[after].state == "closed", 40)
    with pytest.raises(SwapError, match="nothing to roll back to"):
        sent(stack, {"action": "rollback", "flow": "customers"})


def test_a_long_backlog_is_read_in_bulk_and_nothing_is_missing(
    stack: Stack, open_page: Page
) -> None:
    world = make_world(stack, "long", users=1000, rounds=40)
    sent(stack, {**world, "joinType": "inner"})
    rows = read_view(open_page, "final_ui", ["userId", "name", "accountType", "balance"])
    assert {tuple(r) for r in rows} == {(f"long-{n}", "long 39", "CHK", 39) for n in range(1000)}
    assert len(rows) == 1000
    assert len(read_view(open_page, "users_ui", ["userId"])) == 1000
    assert len(read_view(open_page, "accounts_ui", ["userId"])) == 1000
    # The last thousand of each of two partitions, with the user as of the event.
    events = eventually(
        "event lists", lambda: _full(read_view(open_page, "user_account", ["name", "balance"]))
    )
    assert all(name is not None for name, _ in events)
    rejects = read_view(open_page, "rejects", ["topic", "reason"])
    assert rejects == [["long.users", "not JSON"]]
    log = (stack.settings.home / "pipeline.log").read_text()
    assert "records of the sources in bulk" in log
    # The real-time query goes on from what the bulk left.
    stack.produce(world["usersTopic"], {"userId": "long-7", "name": "renamed"})
    stack.flush()

    def renamed() -> bool:
        shown = read_view(open_page, "final_ui", ["userId", "name", "balance"])
        return ["long-7", "renamed", 39] in shown

    eventually("the new name beside the balance of the bulk", renamed)


def _full(rows: list[list[object]]) -> list[list[object]] | None:
    return rows if len(rows) >= 2000 else None


def test_bad_messages_are_refused_and_the_live_generation_goes_on(stack: Stack) -> None:
    before = live(stack)
    producer = kafka.producer(stack.bootstrap, **{"message.max.bytes": 4194304})
    bad = [b"{", b"[]", b'{"usersTopic":"nowhere"}', b'{"usersTopic":"a/b"}', b"x" * 1_000_000]
    for value in bad:
        producer.produce(control.TOPIC, value=value)
    assert producer.flush(10) == 0

    def refused() -> list[str] | None:
        reasons = [r.reason for r in told(stack) if r.state == "refused"][-len(bad) :]
        return reasons if len(reasons) == len(bad) and "message of" in reasons[-1] else None

    reasons = eventually("a receipt for each", refused)
    wanted = ("not JSON", "not a JSON object", "topic nowhere", "usersTopic: 'a/b'", "message of")
    assert all(r.startswith(w) for r, w in zip(reasons, wanted, strict=True))
    assert live(stack) == before
    assert sent(stack, {"joinType": lives(stack)[before or 0].birth.join})[0].startswith("nothing")


@pytest.mark.parametrize("part", ["pipeline", "tables"])
def test_a_swap_goes_on_after_a_crash_in_the_middle(
    stack: Stack, open_page: Page, part: str, complaints: list[str]
) -> None:
    name = f"crash-{part}"
    world = make_world(stack, name, users=200)
    producer = kafka.producer(stack.bootstrap)
    producer.produce(control.TOPIC, value=control.to_json(world))
    assert producer.flush(10) == 0

    def building() -> bool:
        return any(world["usersTopic"] in r.sources.values() for r in told(stack))

    eventually("building", building)
    stack.kill_part(part)
    stack.start_part(part)

    def took_over() -> bool:
        birth = lives(stack)[live(stack) or 0].birth
        return birth.sources["users"] == world["usersTopic"]

    # Asked seldom: the parts start again on the same two cores.
    eventually("the new topics live", took_over, 150, every=2)
    shown = lambda: names_shown(open_page) == {name}  # noqa: E731
    eventually("rows of the new topics alone", shown, 60, every=2)
    eventually("one generation", lambda: _only_live_runs(stack), 60, every=2)
    eventually("no orphans", lambda: _no_orphans(stack), 30, every=2)
    complaints.clear()


def _only_live_runs(stack: Stack) -> bool:
    return [g for g, life in lives(stack).items() if life.running] == [live(stack)]


def _no_orphans(stack: Stack) -> bool:
    number = str(live(stack))
    own = [n for n in kafka.names(stack.bootstrap) if n.startswith("tidegrid.customers.")]
    checkpoints = stack.settings.home / "checkpoints"
    folders = {p.name for p in checkpoints.glob("*/customers/*")}
    return {n.split(".")[2] for n in own} == {number} and folders == {number}

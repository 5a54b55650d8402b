"""Swapping the topics under an open page, through all the real parts."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.support.browser import Complaints, read_view, sign_in
from tests.support.stack import PSK, QUICK, Stack, eventually
from tests.support.worlds import ROLLBACK, live, lives, make_world, no_orphans, only_live_runs, sent
from tidegrid import kafka
from tidegrid.contract import control, messages, receipts, topics
from tidegrid.contract.receipts import Receipt
from tidegrid.errors import SwapError
from tidegrid.kafka.receipt_log import ReceiptLog


def told(stack: Stack) -> list[Receipt]:
    found = (receipts.parse(m.value()) for m in kafka.read_all(stack.connection, topics.RECEIPTS))
    return [r for r in found if isinstance(r, Receipt)]


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
    eventually("the old one lingers", lambda: lives(stack)[before].state == "lingering")

    sent(stack, ROLLBACK)
    assert live(stack) == before
    eventually("old rows", lambda: "one" not in names_shown(open_page))
    eventually("the newer one closed", lambda: lives(stack)[after].state == "closed", 40)
    with pytest.raises(SwapError, match="nothing to roll back to"):
        sent(stack, ROLLBACK)


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
    rejects = read_view(open_page, "rejects", ["flow", "topic", "reason"])
    assert [r[1:] for r in rejects if r[0] == "customers"] == [["long.users", "not JSON"]]
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
    producer = kafka.producer(stack.connection, **{"message.max.bytes": 4194304})
    bad = [b"{", b"[]", b'{"usersTopic":"nowhere"}', b'{"usersTopic":"a/b"}', b"x" * 1_000_000]
    for value in bad:
        producer.produce(topics.CONTROL, value=value)
    assert producer.flush(10) == 0

    def refused() -> list[str] | None:
        reasons = [r.reason for r in told(stack) if r.state == "refused"][-len(bad) :]
        return reasons if len(reasons) == len(bad) and "message of" in reasons[-1] else None

    reasons = eventually("a receipt for each", refused)
    wanted = ("not JSON", "not a JSON object", "topic nowhere", "usersTopic: 'a/b'", "message of")
    assert all(r.startswith(w) for r, w in zip(reasons, wanted, strict=True))
    assert live(stack) == before
    as_it_is = {"joinType": lives(stack)[before].birth.join}
    assert sent(stack, as_it_is) == [control.NO_CHANGE]
    # Sent all the same it has a receipt, so that it is not acted on at a later start.
    offset = kafka.Sender(stack.connection).send(topics.CONTROL, messages.to_json(as_it_is))
    answered = lambda: [r.reason for r in told(stack) if r.control == offset]  # noqa: E731
    assert eventually("a receipt", answered) == [control.NO_CHANGE]


def test_of_a_burst_the_last_swap_wins(stack: Stack) -> None:
    first, second = (make_world(stack, f"burst-{n}", users=20) for n in (1, 2))
    producer = kafka.producer(stack.connection)
    for message in (first, second, first, second):
        producer.produce(topics.CONTROL, value=messages.to_json(message))
    assert producer.flush(10) == 0

    def took_over() -> bool:
        return lives(stack)[live(stack)].birth.sources["users"] == second["usersTopic"]

    eventually("the last one live", took_over)
    reasons = [r.reason for r in told(stack) if r.state == "refused"][-3:]
    assert all(r.startswith("superseded by message") for r in reasons)


def _says(log: Path, words: str) -> bool:
    return words in log.read_text()


def test_a_second_pipeline_stands_aside(stack: Stack, tmp_path: Path) -> None:
    eventually("a live generation", lambda: live(stack))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for home, words in (
        (stack.settings.home, "another pipeline runs here"),
        (elsewhere, "another pipeline runs on this cluster"),
    ):
        log = tmp_path / f"{home.name}.log"
        second = stack.start_process("pipeline", log, TIDEGRID_HOME=str(home))
        try:
            eventually("standing aside", functools.partial(_says, log, words), 30)
            assert second.poll() is None
        finally:
            second.kill()
            second.wait()
        assert "starting Spark" not in log.read_text()


def test_what_cannot_catch_up_fails_and_a_crash_before_live_goes_on(
    stack: Stack, open_page: Page, complaints: Complaints
) -> None:
    """Without tables nothing catches up; with a receipt that says so they only have to flip.

    The pipeline that is left has a short retry: the next test kills it.
    """
    complaints.outage = True
    before = live(stack)
    slow, caught_up = (make_world(stack, f"stuck-{n}", users=30) for n in (1, 2))
    stack.kill_part("tables")
    stack.kill_part("pipeline")
    log = stack.settings.home / "pipeline.log"
    more = {"TIDEGRID_SWAP_TIMEOUT_SECONDS": "4", **QUICK}
    stack.parts["pipeline"] = stack.start_process("pipeline", log, **more)
    with pytest.raises(SwapError, match=r"failed: not caught up in 4 s"):
        sent(stack, slow)
    assert live(stack) == before
    eventually("no trace of it", lambda: no_orphans(stack), 30)

    kafka.Sender(stack.connection).send(topics.CONTROL, messages.to_json(caught_up))

    def pending() -> int:
        return ReceiptLog.read(stack.connection).ledger.pending("customers") or 0

    number = eventually("it is being built", pending, every=0.02)
    receipt_log = ReceiptLog.read(stack.connection, "tables")
    birth = receipt_log.ledger.lives("customers")[number].birth
    # What the tables write right before they flip; here they are killed in between.
    receipt_log.write(replace(birth, state="caught-up", at=receipts.now()))
    stack.start_part("tables")
    eventually("live all the same", lambda: live(stack) == number, 90, every=1)
    eventually("its rows", lambda: names_shown(open_page) == {"stuck-2"}, 60, every=1)
    eventually("one generation", lambda: only_live_runs(stack), 60, every=1)


#: In one swap after the other: the part to kill, and the receipt that it is killed at, as soon as
#: that is on the topic.
CRASHES = [
    [("pipeline", "building")],
    [("pipeline", "live"), ("tables", "lingering")],
    [("pipeline", "closed")],
]


@pytest.mark.parametrize("crashes", CRASHES, ids=lambda found: "-".join(s for _, s in found))
def test_a_swap_goes_on_after_a_crash_at_any_step(
    stack: Stack, open_page: Page, crashes: list[tuple[str, str]], complaints: Complaints
) -> None:
    name = f"crash-{crashes[0][1]}"
    eventually("a live generation", lambda: live(stack))
    before = live(stack)
    world = make_world(stack, name, users=200)
    kafka.Sender(stack.connection).send(topics.CONTROL, messages.to_json(world))
    users = world["usersTopic"]

    def reached(state: str) -> bool:
        # Closing is what happens to the old one, and so is lingering.
        old = state in ("lingering", "closed")
        return any(
            r.state == state
            and (r.generation == before if old else users in r.sources.values())
            and r.generation >= before
            for r in told(stack)
        )

    for turn, (part, state) in enumerate(crashes):
        # After the first, a part starts again on the same two cores: asked less often.
        eventually(state, functools.partial(reached, state), 90, every=0.2 if turn else 0.02)
        stack.kill_part(part)
        # What builds the new generation does so with another login, which is as good.
        stack.start_part(part, **(stack.plain_password() if state == "building" else {}))

    def took_over() -> bool:
        return lives(stack)[live(stack)].birth.sources["users"] == users

    eventually("the new topics live", took_over, 150, every=2)
    shown = lambda: names_shown(open_page) == {name}  # noqa: E731
    eventually("rows of the new topics alone", shown, 60, every=2)
    eventually("one generation", lambda: only_live_runs(stack), 60, every=2)
    eventually("no orphans", lambda: no_orphans(stack), 60, every=2)
    assert live(stack) == before + 1
    complaints.outage = True

"""What people who watch see of a swap: new rows, and nothing else."""

from __future__ import annotations

import functools
import itertools
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.browser import Complaints, sign_in
from tests.support.cable import Cable
from tests.support.load import Desk
from tests.support.stack import POSITIONS, PSK, Stack, eventually
from tests.support.worlds import FIRST_WORLD, make_world, sent
from tidegrid import kafka
from tidegrid.errors import SwapError
from tidegrid.stack import swap

USERS = 2000
RATE = 1000
RECORDER = Path(__file__).with_name("recorder.js").read_text("utf-8")
CARDS = Path(__file__).with_name("cards.js").read_text("utf-8")
#: Panels, and the cell of each that says which sources a row is from.
GRIDS = [
    {"panel": "users", "cell": "name"},
    {"panel": "accounts", "cell": "accountType"},
    {"panel": "joined", "cell": "name"},
]


@pytest.fixture(scope="module", autouse=True)
def first_world_at_the_end(stack: Stack) -> Iterator[None]:
    """Leave the stack with the topics it had."""
    yield
    sent(stack, FIRST_WORLD)


def sources(world: str) -> dict[str, str]:
    return {"usersTopic": f"world.{world}.users", "accountsTopic": f"world.{world}.accounts"}


def produce_change(stack: Stack, world: str, number: int, turn: int) -> None:
    """Change a user or an account; every row says which world it is of."""
    user = f"u{number:05d}"
    topics = sources(world)
    if turn % 2:
        stack.produce(topics["usersTopic"], {"userId": user, "name": f"{world} {turn}"})
    else:
        account: dict[str, object] = {"userId": user, "accountType": world, "balance": turn}
        stack.produce(topics["accountsTopic"], account)


@contextmanager
def two_worlds(stack: Stack) -> Iterator[None]:
    """Make two sets of topics with the same keys, and keep both changing."""
    for world in "AB":
        kafka.ensure_topics(stack.connection, dict.fromkeys(sources(world).values(), 2), {})
        for number, turn in itertools.product(range(USERS), (0, 1)):
            produce_change(stack, world, number, turn)
    stack.flush()
    stop = threading.Event()

    def change() -> None:
        began = time.monotonic()
        for turn in itertools.count(2):
            produce_change(stack, "AB"[turn // 2 % 2], turn * 7919 % USERS, turn)
            ahead = (turn - 2) / RATE - (time.monotonic() - began)
            if ahead > 0.01 and stop.wait(ahead):
                return

    thread = threading.Thread(target=change, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def panel(page: Page, name: str) -> Locator:
    return page.get_by_test_id(f"panel-{name}")


def look_around(page: Page) -> None:
    """Sort one grid, filter another, scroll all."""
    panel(page, "users").get_by_test_id("header-userId").get_by_role("button").click()
    panel(page, "accounts").get_by_test_id("filter-userId").fill("1")
    panel(page, "joined").get_by_test_id("header-userId").get_by_role("button").click()
    page.wait_for_timeout(1000)
    for name, top in (("users", 9000), ("accounts", 4000), ("joined", 21000)):
        panel(page, name).get_by_test_id("grid").evaluate("(g, top) => { g.scrollTop = top }", top)
    page.wait_for_timeout(2000)


def test_twenty_swaps_and_rollbacks_go_unnoticed(stack: Stack, signed_in: Page) -> None:
    page = signed_in
    # Small, since painting takes the same two cores as everything else.
    page.set_viewport_size({"width": 1280, "height": 640})
    with two_worlds(stack):
        swap.send(stack.settings, sources("A"), lambda _: None)
        for grid in GRIDS:
            panel(page, grid["panel"]).get_by_test_id(f"cell-{grid['cell']}").first.wait_for()
        look_around(page)
        page.evaluate(RECORDER, GRIDS)
        show(page, stack, "A", {})
        rollback = {"action": "rollback", "flow": "customers"}
        worlds = itertools.cycle("BA")
        world = "A"
        late = 0
        for turn in range(20):
            world = next(worlds)
            # Each swap is rolled back, that rolled back in turn, and so on.
            try:
                show(page, stack, world, rollback if turn % 5 else sources(world))
            except SwapError as e:
                # On a machine that is too busy the other generation may be over by now.
                if "no earlier generation lingers" not in str(e):
                    raise
                late += 1
                show(page, stack, world, sources(world))
        seen = page.evaluate("recorded")
    assert late <= 5
    assert seen["frames"] > 200
    for wrong in ("mixed", "empty", "moved", "states"):
        assert seen[wrong] == [], wrong
    # Grids wait for each other, but not for ever: on a machine that is too busy one may be late.
    assert len(seen["apart"]) <= 5


def show(page: Page, stack: Stack, world: str, message: dict[str, str]) -> None:
    """Send a message and wait until all grids show a world."""
    if message:
        swap.send(stack.settings, message, lambda _: None)

    def shown() -> bool:
        return set(page.evaluate("recorded.worlds").values()) == {world}

    eventually(f"world {world} in all grids", shown, 20)


def test_swaps_go_unnoticed_where_charts_are(stack: Stack, signed_in: Page) -> None:
    page = signed_in
    topics = {world: f"cards.{world}" for world in "AB"}
    kafka.ensure_topics(stack.connection, dict.fromkeys(topics.values(), 2), {})
    rollback = {"action": "rollback", "flow": "positions"}
    before = {"positionsTopic": POSITIONS}
    with Desk(stack, topics["A"], "A", hostile=False), Desk(stack, topics["B"], "B", hostile=False):
        swap.send(stack.settings, {"positionsTopic": topics["A"]}, lambda _: None)
        page.get_by_test_id("nav-gold").click()
        cell = page.get_by_test_id("gold-latest").get_by_test_id("cell-symbol").first
        expect(cell).to_contain_text("A.")
        for chart in page.locator('[data-testid^="chart-"]').all():
            expect(chart).not_to_have_attribute("data-points", "0")
        page.evaluate(CARDS)
        for turn in range(20):
            world = "BA"[turn % 2]
            message = rollback if turn % 5 else {"positionsTopic": topics[world]}
            try:
                swap.send(stack.settings, message, lambda _: None)
            except SwapError as e:
                if "no earlier generation lingers" not in str(e):
                    raise
                swap.send(stack.settings, {"positionsTopic": topics[world]}, lambda _: None)
            eventually(f"world {world}", functools.partial(shows_only, page, world), 20)
        seen = page.evaluate("recorded")
        page.evaluate("cancelAnimationFrame(cardsFrame)")
        swap.send(stack.settings, before, lambda _: None)
    assert seen["frames"] > 200
    assert seen["drawn"] > 100
    for wrong in ("problems", "empty", "mixed", "states"):
        assert seen[wrong] == [], wrong


def shows_only(page: Page, world: str) -> bool:
    return str(page.evaluate("recorded.worlds")) == world


def test_a_viewer_who_was_offline_comes_back_to_the_new_rows(
    stack: Stack, page: Page, complaints: Complaints
) -> None:
    world = make_world(stack, "offline", users=30)
    cable = Cable(stack.settings.tables.port)
    try:
        page.goto(stack.url.replace(str(stack.settings.tables.port), str(cable.port)))
        sign_in(page, PSK)
        bar = page.get_by_test_id("status-bar")
        expect(bar).to_have_attribute("data-connection", "connected")
        page.evaluate("window.neverReloaded = true")
        cable.pull()
        expect(bar).to_have_attribute("data-connection", "reconnecting")
        swap.send(stack.settings, world, lambda _: None)
        cable.plug()
        name = panel(page, "users").get_by_test_id("cell-name").first
        expect(name).to_have_text("offline 0")
        expect(bar).to_have_attribute("data-connection", "connected")
        assert page.evaluate("window.neverReloaded")
    finally:
        page.goto("about:blank")
        cable.close()
    complaints.outage = True

"""The Operations page: a swap and a rollback by a viewer, without a command line."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.support.browser import read_view
from tests.support.stack import Stack, eventually
from tests.support.worlds import live, lives, make_world
from tidegrid import kafka


def open_operations(page: Page) -> None:
    page.get_by_test_id("nav-operations").click()
    expect(page.get_by_test_id("timeline")).to_be_visible()
    # What is live fills the form.
    expect(page.get_by_test_id("swap-users")).not_to_have_value("")


def ask(page: Page, users: str, accounts: str) -> None:
    page.get_by_test_id("swap-users").fill(users)
    page.get_by_test_id("swap-accounts").fill(accounts)
    page.get_by_test_id("swap-submit").click()


def test_a_viewer_swaps_the_topics_and_rolls_back(stack: Stack, signed_in: Page) -> None:
    page = signed_in
    eventually("a live generation", lambda: live(stack))
    before = live(stack)
    world = make_world(stack, "asked", users=50)
    open_operations(page)
    status = page.get_by_test_id("swap-status")

    ask(page, "no such topic", world["accountsTopic"])
    expect(status).to_have_attribute("data-state", "refused")
    expect(status).to_contain_text("no legal topic name")
    ask(page, "asked.nowhere", world["accountsTopic"])
    expect(status).to_contain_text("topic asked.nowhere does not exist")

    ask(page, world["usersTopic"], world["accountsTopic"])
    expect(status).to_have_attribute("data-state", "live")
    after = live(stack)
    assert after > before
    assert lives(stack)[after].birth.sources["users"] == world["usersTopic"]
    mine = f'[data-flow="customers"][data-generation="{after}"]'
    shown = page.get_by_test_id("timeline").locator(mine)
    expect(shown).to_have_attribute("data-state", "live")
    preview = page.get_by_test_id("preview").locator('[data-view="users_ui"]')
    expect(preview).to_contain_text("50")

    page.get_by_test_id("live-customers").get_by_test_id("rollback").click()
    expect(status).to_contain_text(f"generation {before} is live again")
    assert live(stack) == before
    # What the page sent is what any tool would have sent.
    messages = read_view(page, "control_raw", ["message"])
    assert [world["usersTopic"] in str(m[0]) for m in messages[-2:]] == [True, False]
    assert messages[-1] == ['{"action":"rollback","flow":"customers"}']
    # Nothing stays in the table that viewers write to.
    eventually("no request left", lambda: read_view(page, "swap_requests", ["id"]) == [])


def test_the_figures_of_the_parts_are_on_the_page(stack: Stack, signed_in: Page) -> None:
    page = signed_in
    number = eventually("a live generation", lambda: live(stack))
    birth = lives(stack)[number].birth
    users = birth.sources["users"]
    open_operations(page)
    health = page.get_by_test_id("health")
    for part in ("pipeline", "tables"):
        expect(health.locator(f'[data-part="{part}"]')).to_have_attribute("data-up", "true")
    mine = health.locator(f'[data-flow="customers"][data-generation="{number}"]')
    expect(mine).to_be_visible()
    for n in range(20):
        stack.produce(users, {"userId": f"figures-{n}", "name": "Counted"})
    stack.produce(users, b'{"userId": 5}', key="figures")
    stack.flush()
    ends = kafka.latest(stack.connection, {t: len(places) for t, places in birth.start.items()})
    read = kafka.ends_of_records(stack.connection, birth.start, ends)
    every = sum(
        read[t][p] - start for t, places in birth.start.items() for p, start in places.items()
    )
    expect(mine.locator('[data-figure="events"]')).to_have_text(f"{every:,}")
    reject = mine.locator('[data-reason="userId: expected a text"]')
    expect(reject).to_be_visible()
    lags = mine.locator('tbody [data-figure="lag"]')
    expect(lags).to_have_text(["0"] * sum(map(len, birth.start.values())))
    expect(mine.locator('[data-figure="restarts"]')).to_have_text(re.compile(r"\d"))
    expect(mine.locator('[data-figure="last swap"]')).to_have_text(re.compile(r"\d m?s \+ \d"))
    # The same figures are a table like any other.
    rows = read_view(page, "health", ["measure", "flow", "generation", "topic", "value"])
    shown = sum(r[4] for r in rows if r[:4] == ["events", "customers", number, users])
    assert shown >= 21
    assert ["up", None, None, None, 1] in rows

"""The Operations page: a swap and a rollback by a viewer, without a command line."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import read_view
from tests.stack import Stack, eventually
from tests.worlds import live, lives, make_world

SLOW = 40_000


def open_operations(page: Page) -> None:
    page.get_by_test_id("nav-operations").click()
    expect(page.get_by_test_id("timeline")).to_be_visible(timeout=SLOW)
    # What is live fills the form.
    expect(page.get_by_test_id("swap-users")).not_to_have_value("", timeout=SLOW)


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
    expect(status).to_have_attribute("data-state", "refused", timeout=SLOW)
    expect(status).to_contain_text("no legal topic name")
    ask(page, "asked.nowhere", world["accountsTopic"])
    expect(status).to_contain_text("topic asked.nowhere does not exist", timeout=SLOW)

    ask(page, world["usersTopic"], world["accountsTopic"])
    expect(status).to_have_attribute("data-state", "live", timeout=SLOW)
    after = live(stack)
    assert after > before
    assert lives(stack)[after].birth.sources["users"] == world["usersTopic"]
    mine = f'[data-flow="customers"][data-generation="{after}"]'
    shown = page.get_by_test_id("timeline").locator(mine)
    expect(shown).to_have_attribute("data-state", "live", timeout=SLOW)
    preview = page.get_by_test_id("preview").locator('[data-view="users_ui"]')
    expect(preview).to_contain_text("50")

    page.get_by_test_id("live-customers").get_by_test_id("rollback").click()
    expect(status).to_contain_text(f"generation {before} is live again", timeout=SLOW)
    assert live(stack) == before
    # What the page sent is what any tool would have sent.
    messages = read_view(page, "control_raw", ["message"])
    assert [world["usersTopic"] in str(m[0]) for m in messages[-2:]] == [True, False]
    assert messages[-1] == ['{"action":"rollback","flow":"customers"}']
    # Nothing stays in the table that viewers write to.
    eventually("no request left", lambda: read_view(page, "swap_requests", ["id"]) == [])

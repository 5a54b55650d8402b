"""What a viewer chooses on a page is in its address: going back and forward goes through it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.support.browser import Complaints, opened, sign_in
from tests.support.stack import POSITIONS, PSK, Stack, eventually


def panel(page: Page, name: str) -> Locator:
    return page.get_by_test_id(f"panel-{name}")


def address(page: Page) -> str:
    """Return where the page is; `page.url` is only as new as the last call that was answered."""
    return str(page.evaluate("location.href"))


def test_back_and_forward_go_through_looks(signed_in: Page) -> None:
    page = signed_in
    users = panel(page, "users")
    latest, events = users.get_by_test_id("mode-latest"), users.get_by_test_id("mode-events")
    expect(latest).to_have_attribute("aria-pressed", "true")
    for _ in range(2):
        events.click()
        eventually("the form is in the address", lambda: "grid.users" in address(page))
        page.go_back()
        expect(latest).to_have_attribute("aria-pressed", "true")
    page.go_forward()
    expect(events).to_have_attribute("aria-pressed", "true")


@pytest.fixture
def customers(stack: Stack, signed_in: Page) -> Page:
    """Show forty users with an account each, beside whatever else there is."""
    for n in range(40):
        user = f"link-{n:02d}"
        stack.produce("users", {"userId": user, "name": f"Linked {n:02d}"})
        stack.produce("accounts", {"userId": user, "accountType": "CHK", "balance": n})
    stack.flush()
    return signed_in


def head(grid: Locator, column: str) -> Locator:
    return grid.get_by_test_id(f"header-{column}")


def choose_looks(page: Page) -> None:
    """Filter and sort one grid, filter another, and scroll the first."""
    users, accounts = panel(page, "users"), panel(page, "accounts")
    users.get_by_test_id("filter-userId").fill("link-")
    accounts.get_by_test_id("filter-userId").fill("link-1")
    head(users, "name").get_by_role("button").click()
    head(users, "name").get_by_role("button").click()
    expect(users.get_by_test_id("row-count")).to_have_attribute("data-total", "40")
    expect(users.get_by_test_id("cell-name").first).to_have_text("Linked 39")
    users.get_by_test_id("grid").evaluate("grid => { grid.scrollTop = 260 }")
    eventually("the first row is further down", lambda: first_row(users) >= 5)


def first_row(grid: Locator) -> int:
    """Return which row is the first that is drawn."""
    return int(grid.get_by_test_id("row").first.get_attribute("data-row-index") or 0)


def expect_looks(page: Page) -> None:
    users, accounts = panel(page, "users"), panel(page, "accounts")
    expect(users.get_by_test_id("filter-userId")).to_have_value("link-")
    expect(users.get_by_test_id("row-count")).to_have_attribute("data-total", "40")
    expect(head(users, "name")).to_have_attribute("aria-sort", "descending")
    expect(accounts.get_by_test_id("filter-userId")).to_have_value("link-1")
    expect(accounts.get_by_test_id("row-count")).to_have_attribute("data-total", "10")
    eventually("the same place", lambda: first_row(users) >= 5)


def in_address(page: Page, *cards: str) -> str:
    """Wait until the address tells of those grids and rests; return it."""
    seen = ""

    def rests() -> bool:
        nonlocal seen
        before, seen = seen, address(page)
        return before == seen and all(f"grid.{card}=" in seen for card in cards)

    # A look is told when it was left alone for a moment.
    eventually(f"{cards} in the address", rests, every=1)
    return seen


def test_the_address_shows_the_same_to_somebody_else(customers: Page, browser: Browser) -> None:
    choose_looks(customers)
    link = in_address(customers, "users", "accounts")
    complaints = Complaints()
    with opened(browser, link, complaints) as other:
        sign_in(other, PSK)
        expect_looks(other)
    assert complaints == []


def test_a_named_view_comes_back_after_a_reload(stack: Stack, customers: Page) -> None:
    page = customers
    choose_looks(page)
    in_address(page, "users", "accounts")
    page.get_by_test_id("views-button").click()
    page.get_by_test_id("view-name").fill("My links")
    page.get_by_test_id("save-view").click()
    page.goto(f"{stack.url}#/operations")
    page.reload()
    sign_in(page, PSK)
    page.get_by_test_id("views-button").click()
    page.get_by_test_id("saved-view").click()
    expect_looks(page)
    # And again, after the page no longer looks like it.
    panel(page, "users").get_by_test_id("filter-userId").fill("link-2")
    expect(panel(page, "users").get_by_test_id("row-count")).to_have_attribute("data-total", "10")
    in_address(page, "users")
    page.get_by_test_id("views-button").click()
    page.get_by_test_id("saved-view").click()
    expect_looks(page)


def test_a_page_that_is_chosen_before_the_first_one_came_is_the_one_that_comes(page: Page) -> None:
    """The first page is gone to when the catalogue is there, and that may be after a click."""

    def late(route: Route) -> None:
        page.wait_for_timeout(700)
        route.continue_()

    expect(page.get_by_test_id("login-psk")).to_be_visible()
    page.route(re.compile(r"/chunk-[^/]*\.js"), late)
    sign_in(page, PSK)
    page.get_by_test_id("nav-rejects").click()
    expect(panel(page, "rejects")).to_be_visible()
    eventually("its address", lambda: address(page).endswith("#/rejects"))


def test_a_table_by_itself_has_a_link_for_its_look(customers: Page, browser: Browser) -> None:
    page = customers
    page.evaluate("location.hash = '#/table/users_ui'")
    table = panel(page, "table")
    table.get_by_test_id("filter-userId").fill("link-")
    head(table, "name").get_by_role("button").click()
    head(table, "name").get_by_role("button").click()
    expect(table.get_by_test_id("cell-name").first).to_have_text("Linked 39")
    link = in_address(page, "table")
    with opened(browser, link, Complaints()) as other:
        sign_in(other, PSK)
        table = panel(other, "table")
        expect(table.get_by_test_id("cell-name").first).to_have_text("Linked 39")
        expect(table.get_by_test_id("row-count")).to_have_attribute("data-total", "40")


def test_the_filter_of_a_page_is_in_its_address(stack: Stack, signed_in: Page) -> None:
    page = signed_in
    stack.produce(POSITIONS, {"symbol": "LINKED", "price": 1, "qty": 1, "_source_system": "linked"})
    stack.flush()
    page.get_by_test_id("nav-gold").click()
    choice = page.get_by_test_id("page-filter")
    eventually("the value", lambda: "linked" in choice.locator("option").all_inner_texts())
    choice.select_option("linked")
    eventually("it is in the address", lambda: "of=linked" in address(page))
    page.go_back()
    expect(choice).to_have_value("All")
    page.go_forward()
    expect(choice).to_have_value("linked")
    # It stays chosen in this tab, and the address says so.
    page.get_by_test_id("nav-operations").click()
    page.get_by_test_id("nav-gold").click()
    expect(choice).to_have_value("linked")
    eventually("again in the address", lambda: "of=linked" in address(page))

"""Every page passes axe, in both themes, on a phone, and with what opens over it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.support.stack import Stack

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
#: An element of each page that is there once it is drawn.
PAGES = {
    "customers": "panel-users",
    "gold": "chart-prices",
    "operations": "timeline",
    "rejects": "panel-rejects",
}
PHONE: ViewportSize = {"width": 390, "height": 844}


def violations(page: Page) -> list[str]:
    """Return what axe has against the page, and where."""
    page.evaluate(AXE.read_text("utf-8"))
    found: dict[str, Any] = page.evaluate("() => axe.run()")
    return [
        f"{v['id']}: {v['help']}: {[n['target'] for n in v['nodes'][:3]]}"
        for v in found["violations"]
    ]


def test_the_log_in_is_accessible(page: Page) -> None:
    expect(page.get_by_test_id("login-psk")).to_be_visible()
    assert violations(page) == []


@pytest.mark.parametrize("address", PAGES)
def test_a_page_is_accessible_in_both_themes(signed_in: Page, address: str) -> None:
    signed_in.get_by_test_id(f"nav-{address}").click()
    expect(signed_in.get_by_test_id(PAGES[address])).to_be_visible()
    first = violations(signed_in)
    signed_in.get_by_test_id("theme-toggle").click()
    assert (first, violations(signed_in)) == ([], [])


@pytest.mark.parametrize("address", PAGES)
def test_a_page_is_accessible_and_not_too_wide_on_a_phone(signed_in: Page, address: str) -> None:
    signed_in.get_by_test_id(f"nav-{address}").click()
    expect(signed_in.get_by_test_id(PAGES[address])).to_be_visible()
    signed_in.set_viewport_size(PHONE)
    signed_in.wait_for_function("width => innerWidth === width", arg=PHONE["width"])
    assert violations(signed_in) == []
    wide = signed_in.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


def test_a_table_by_itself_is_accessible(stack: Stack, signed_in: Page) -> None:
    stack.produce("users", {"userId": "accessible", "name": "Accessible"})
    stack.flush()
    signed_in.evaluate("location.hash = '#/table/users_ui'")
    expect(signed_in.get_by_test_id("panel-table").get_by_test_id("row").first).to_be_visible()
    assert violations(signed_in) == []


def test_an_address_without_a_page_is_accessible(signed_in: Page) -> None:
    signed_in.evaluate("location.hash = '#/nothing-here'")
    # It is there while the first page is loaded, too, and says something else then.
    expect(signed_in.get_by_test_id("no-page")).to_contain_text("There is no page at this address")
    assert violations(signed_in) == []


def test_what_opens_over_a_page_is_accessible(signed_in: Page) -> None:
    page, found = signed_in, {}
    users = page.get_by_test_id("panel-users")
    users.get_by_test_id("columns-button").click()
    found["columns"] = violations(page)
    page.keyboard.press("Escape")
    users.get_by_test_id("menu-name").click()
    expect(page.get_by_test_id("head-menu")).to_be_visible()
    found["column"] = violations(page)
    page.keyboard.press("Escape")
    page.get_by_test_id("views-button").click()
    expect(page.get_by_test_id("views-menu")).to_be_visible()
    found["views"] = violations(page)
    page.keyboard.press("Escape")
    page.get_by_test_id("nav-operations").click()
    page.get_by_test_id("add-table-open").click()
    expect(page.get_by_test_id("topic-search")).to_be_focused()
    found["add a table"] = violations(page)
    assert {what: wrong for what, wrong in found.items() if wrong} == {}

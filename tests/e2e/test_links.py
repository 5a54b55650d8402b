"""What a viewer chooses on a page is in its address: going back and forward goes through it."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.support.stack import eventually


def panel(page: Page, name: str) -> Locator:
    return page.get_by_test_id(f"panel-{name}")


def test_back_and_forward_go_through_looks(signed_in: Page) -> None:
    page = signed_in
    users = panel(page, "users")
    latest, events = users.get_by_test_id("mode-latest"), users.get_by_test_id("mode-events")
    expect(latest).to_have_attribute("aria-pressed", "true")
    for _ in range(2):
        events.click()
        eventually("the form is in the address", lambda: "grid.users" in page.url)
        page.go_back()
        expect(latest).to_have_attribute("aria-pressed", "true")
    page.go_forward()
    expect(events).to_have_attribute("aria-pressed", "true")

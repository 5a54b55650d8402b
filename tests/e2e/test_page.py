"""The page as a viewer uses it, against the real thing."""

from __future__ import annotations

import time

from playwright.sync_api import Locator, Page, expect

from tests.support.browser import Complaints, sign_in
from tests.support.load import Load, shown, wait_until_right
from tests.support.stack import PSK, Stack, eventually
from tests.support.worlds import live

HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>alert(1)</script>"


def panel(page: Page, name: str) -> Locator:
    return page.get_by_test_id(f"panel-{name}")


def open_table(page: Page, name: str) -> Locator:
    """Show one table alone."""
    page.evaluate("name => { location.hash = '#/table/' + name }", name)
    shown = panel(page, "table")
    expect(shown.get_by_test_id("grid-state")).to_have_attribute("data-state", "live")
    return shown


def search(table: Locator, column: str, text: str) -> None:
    table.get_by_test_id(f"filter-{column}").fill(text)


def cells(table: Locator, column: str) -> list[str]:
    """Return what a column shows, top to bottom."""
    return [c.inner_text() for c in table.get_by_test_id(f"cell-{column}").all()]


def test_a_wrong_key_is_refused_and_the_right_one_lets_in(page: Page) -> None:
    sign_in(page, "not the key")
    expect(page.get_by_test_id("login-error")).to_be_visible()
    sign_in(page, PSK)
    expect(page.get_by_test_id("status-bar")).to_have_attribute("data-connection", "connected")
    assert PSK not in page.url


def test_rows_appear_and_tick(stack: Stack, signed_in: Page) -> None:
    stack.produce("users", {"userId": "tick", "name": "before", "age": 30})
    stack.produce("accounts", {"userId": "tick", "accountType": "CHK", "balance": 1234.5})
    stack.flush()
    users = panel(signed_in, "users")
    search(users, "userId", "tick")
    expect(users.get_by_test_id("cell-name").first).to_have_text("before")
    joined = panel(signed_in, "joined")
    search(joined, "userId", "tick")
    expect(joined.get_by_test_id("cell-balance").first).to_have_text("1,234.50")
    stack.produce("users", {"userId": "tick", "name": "after", "age": 30})
    stack.flush()
    expect(users.get_by_test_id("cell-name").first).to_have_text("after")
    expect(joined.get_by_test_id("cell-name").first).to_have_text("after")


def test_the_status_bar_measures_from_event_to_painted_cell(stack: Stack, signed_in: Page) -> None:
    bar = signed_in.get_by_test_id("status-bar")
    flow = signed_in.get_by_test_id("flow-customers")
    expect(flow).to_have_attribute("data-generation", str(live(stack)))
    users = panel(signed_in, "users")
    expect(users.get_by_test_id("grid-state")).to_have_attribute("data-state", "live")
    # Only what is painted is measured, and where a row stands depends on which partition was first.
    search(users, "userId", "first")
    expect(users.get_by_test_id("cell-userId").first).to_have_text("first")

    def samples() -> int:
        stack.produce("users", {"userId": "first", "name": f"at {time.time()}"})
        stack.flush()
        return int(bar.get_attribute("data-samples") or 0)

    eventually("a measured event", lambda: samples() > 0, 30)
    assert 0 < float(bar.get_attribute("data-p50") or 0) < 10_000


def test_hostile_cells_are_text(stack: Stack, signed_in: Page) -> None:
    stack.produce("users", {"userId": "hostile", "name": HOSTILE})
    stack.flush()
    users = panel(signed_in, "users")
    search(users, "userId", "hostile")
    expect(users.get_by_test_id("cell-name").first).to_have_text(HOSTILE)
    assert signed_in.title() != "owned"
    assert users.locator("img, script").count() == 0


def test_rejects_are_counted_and_say_why(stack: Stack, signed_in: Page) -> None:
    stack.produce("users", b'{"userId": "", "name": "nobody in particular"}', key="x")
    stack.flush()
    signed_in.get_by_test_id("nav-rejects").click()
    rejects = panel(signed_in, "rejects")
    search(rejects, "value", "nobody in particular")
    expect(rejects.get_by_test_id("cell-reason").first).to_have_text("userId: missing or empty")
    assert int(signed_in.get_by_test_id("rejects-count").inner_text().replace(",", "")) > 0


def test_a_hundred_thousand_rows_scroll_sort_and_filter(stack: Stack, signed_in: Page) -> None:
    count = 100_000
    for number in range(count):
        stack.produce("users", {"userId": f"many-{number:06d}", "name": f"Number {number}"})
    stack.flush()
    eventually("all rows", lambda: stack.view_rows().get("users_ui", 0) >= count, 240)
    table = open_table(signed_in, "users_ui")
    total = int(table.get_by_test_id("row-count").get_attribute("data-total") or 0)
    assert total >= count
    table.get_by_test_id("page-last").click()
    last = table.locator(f"[data-testid=row][data-row-index='{total - 1}']")
    expect(last).to_be_visible()
    expect(last.get_by_test_id("cell-userId")).not_to_be_empty()

    # Sorting goes to the top.
    table.get_by_test_id("header-userId").click()
    table.get_by_test_id("header-userId").click()

    def sorted_down() -> bool:
        shown = [c for c in cells(table, "userId") if c]
        return len(shown) > 5 and shown == sorted(shown, reverse=True)

    eventually("descending user ids", sorted_down, 20)

    search(table, "name", "number 99999")
    row_count = table.get_by_test_id("row-count")
    expect(row_count).to_have_attribute("data-total", "1")
    expect(table.get_by_test_id("cell-userId").first).to_have_text("many-099999")


def test_the_page_comes_back_by_itself_after_deephaven_is_killed_under_load(
    stack: Stack, signed_in: Page, complaints: Complaints
) -> None:
    stack.produce("users", {"userId": "outage", "name": "before"})
    users = panel(signed_in, "users")
    search(users, "userId", "outage")
    expect(users.get_by_test_id("cell-name").first).to_have_text("before")
    bar = signed_in.get_by_test_id("status-bar")
    signed_in.evaluate("window.stillTheSamePage = true")
    with Load(stack, "kill-tables") as load:
        eventually("the load arrives", lambda: shown(signed_in, "kill-tables"))
        stack.kill_part("tables")
        expect(bar).not_to_have_attribute("data-connection", "connected")
        # It comes back with another login at Kafka, which is as good.
        stack.start_part("tables", **stack.plain_password())
        stack.produce("users", {"userId": "outage", "name": "after"})
        expect(bar).to_have_attribute("data-connection", "connected", timeout=180_000)
    expect(users.get_by_test_id("cell-name").first).to_have_text("after", timeout=120_000)
    wait_until_right(load, signed_in, "kill-tables")
    assert signed_in.evaluate("window.stillTheSamePage") is True
    complaints.outage = True

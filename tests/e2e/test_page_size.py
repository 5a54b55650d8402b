"""What the page loads, and when."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from bench.page import INITIAL
from tests.support.browser import sign_in
from tests.support.stack import POSITIONS, PSK, Stack

#: Bytes on the wire before the log-in.
MOST_BEFORE_LOGIN = 100_000


def test_the_log_in_needs_little(page: Page) -> None:
    expect(page.get_by_test_id("login-psk")).to_be_visible()
    assert 0 < page.evaluate(INITIAL) <= MOST_BEFORE_LOGIN


def test_charts_are_loaded_where_a_page_has_some(stack: Stack, page: Page) -> None:
    (charts,) = (
        file.name
        for file in stack.settings.page_dir.glob("*.js")
        if "echarts" in file.read_text("utf-8")
    )
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url.rpartition("/")[2]))
    sign_in(page, PSK)
    page.get_by_test_id("nav-customers").click()
    expect(page.get_by_test_id("panel-users").get_by_test_id("row").first).to_be_visible()
    assert charts not in loaded
    position = {"symbol": "SIZE", "price": 1, "qty": 1, "allotment": "size", "pnl": 1}
    stack.produce(POSITIONS, position)
    stack.flush()
    page.get_by_test_id("nav-gold").click()
    chart = page.get_by_test_id("chart-pnl-allotment")
    expect(chart.locator("canvas, svg").first).to_be_visible()
    assert charts in loaded

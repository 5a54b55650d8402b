"""The Gold page in Chromium: tiles, charts and grids that follow the events."""

from __future__ import annotations

import re
import time

from playwright.sync_api import Locator, Page, expect

from tests.support.browser import sign_in
from tests.support.load import HOSTILE, Desk
from tests.support.stack import POSITIONS, PSK, Stack, eventually
from tests.support.worlds import live, sent
from tidegrid import kafka


def open_gold(page: Page) -> None:
    page.get_by_test_id("nav-gold").click()
    page.get_by_test_id("gold-page").wait_for()


def value(page: Page, tile: str) -> str:
    return page.get_by_test_id(f"tile-{tile}").get_by_test_id("tile-value").inner_text()


def number(chart: Locator, attribute: str) -> int:
    return int(chart.get_attribute(attribute) or 0)


def changes(page: Page, tile: str) -> None:
    before = value(page, tile)
    eventually(f"{tile} changes", lambda: value(page, tile) != before)


def is_drawn(page: Page, name: str) -> None:
    chart = page.get_by_test_id(name)
    eventually(f"{name} has points", lambda: number(chart, "data-points") > 0)
    drawn = number(chart, "data-updates")
    eventually(f"{name} is drawn", lambda: number(chart, "data-updates") > drawn)


def symbols(page: Page, panel: str) -> set[str]:
    return set(page.get_by_test_id(panel).get_by_test_id("cell-symbol").all_inner_texts())


def test_tiles_charts_and_grids_follow_the_events(stack: Stack, signed_in: Page) -> None:
    page = signed_in
    with Desk(stack, POSITIONS, "desk"):
        open_gold(page)
        grid = page.get_by_test_id("gold-latest")
        grid.get_by_test_id("filter-symbol").fill("desk.")
        expect(grid.get_by_test_id("cell-price").first).to_be_visible()
        for tile in ("notional", "trades", "movers", "pnl"):
            changes(page, tile)
        for name in ("chart-pnl-instrument", "chart-pnl-allotment", "chart-prices"):
            is_drawn(page, name)
        # No more often than the eye sees.
        chart = page.get_by_test_id("chart-pnl-instrument")
        drawn, begun = number(chart, "data-updates"), time.monotonic()
        page.wait_for_timeout(3000)
        took = time.monotonic() - begun
        assert number(chart, "data-updates") - drawn <= 4 * took + 2
        expect(page.get_by_test_id("top-movers").get_by_test_id("list-row").first).to_be_visible()
        # What comes from a topic is text, in cells and in charts.
        grid.get_by_test_id("filter-symbol").fill("<img")
        expect(grid.get_by_test_id("cell-symbol").first).to_have_text(HOSTILE)
    assert page.locator("img[src=x]").count() == 0
    assert page.title() != "1"


def test_the_source_filter_is_for_the_whole_page(stack: Stack, signed_in: Page) -> None:
    page = signed_in
    with Desk(stack, POSITIONS, "filter"):
        open_gold(page)
        options = page.get_by_test_id("page-filter").locator("option")
        eventually("the systems", lambda: "filter-1" in options.all_inner_texts())
        page.get_by_test_id("page-filter").select_option("filter-1")
        # Odd numbers are of this system, and the hostile one is the fifth.
        wanted = {"filter.1", "filter.3", HOSTILE}
        eventually("positions", lambda: symbols(page, "gold-latest") == wanted)
        eventually("KPIs", lambda: symbols(page, "gold-kpi") == wanted)
        chart = page.get_by_test_id("chart-pnl-instrument")
        eventually("bars", lambda: number(chart, "data-points") == len(wanted))
        tile = page.get_by_test_id("tile-pnl")
        expect(tile).to_contain_text("3 positions")


def test_a_swap_of_the_positions_leaves_the_customers_page_untouched(
    stack: Stack, signed_in: Page
) -> None:
    gold = signed_in
    customers = gold.context.new_page()
    customers.goto(stack.url)
    sign_in(customers, PSK)
    first = customers.get_by_test_id("panel-users").get_by_test_id("grid-state")
    expect(first).to_have_attribute("data-state", "live")
    for state in customers.get_by_test_id("grid-state").all():
        expect(state).to_have_attribute("data-state", re.compile("live|empty"))
    # Each change of a grid's state or of the flow's generation is noted.
    customers.evaluate(
        """() => {
          window.noted = [];
          const watched = document.querySelectorAll(
            '[data-testid=grid-state], [data-testid=flow-customers]');
          const note = changes => window.noted.push(...changes.map(c => c.target.outerHTML));
          const filter = ['data-state', 'data-generation'];
          const options = { attributes: true, attributeFilter: filter };
          for (const e of watched) new MutationObserver(note).observe(e, options);
        }"""
    )
    generations = live(stack), live(stack, "positions")
    kafka.ensure_topics(stack.connection, {"gold.swapped": 2}, {})
    with Desk(stack, "gold.swapped", "swapped"):
        open_gold(gold)
        sent(stack, {"positionsTopic": "gold.swapped"})
        flow = gold.get_by_test_id("flow-positions")
        expect(flow).to_have_attribute("data-generation", str(live(stack, "positions")))
        wanted = {*(f"swapped.{n}" for n in range(5)), HOSTILE}
        eventually("the new positions", lambda: symbols(gold, "gold-latest") == wanted)
        sent(stack, {"action": "rollback", "flow": "positions"})
        eventually("the old ones", lambda: not symbols(gold, "gold-latest") & {"swapped.0"})
    assert (live(stack), live(stack, "positions")) == generations
    assert customers.evaluate("window.noted") == []
    customers.close()

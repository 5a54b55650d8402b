"""The page of a flow that nobody here has seen: every card, a change, and its end."""

from __future__ import annotations

import re
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.stack import Stack, eventually
from tests.support.worlds import sent
from tidegrid import kafka

DOCS = Path(__file__).parents[2] / "docs" / "flows.md"


@pytest.fixture
def till(stack: Stack) -> Iterator[dict[str, Any]]:
    """Run the flow of the docs that has a page with every card."""
    text = re.search(r"```toml\n(# flows/till\.toml\n.*?)```", DOCS.read_text("utf-8"), re.S)
    assert text is not None
    document = tomllib.loads(text[1])
    topic = f"till.{time.time_ns()}"
    document["sources"]["sales"]["topic"] = topic
    kafka.ensure_topics(stack.connection, {topic: 1}, {})
    sent(stack, {"apply": {"name": "till", **document}})
    yield document
    sent(stack, {"remove": "till"})


def sell(stack: Stack, till: dict[str, Any], count: int) -> None:
    """Sell articles in two shops, twice as many in the south."""
    for n in range(count):
        stack.produce(
            till["sources"]["sales"]["topic"],
            {
                "sale": f"s{n}",
                "shop": "north" if n % 3 == 0 else "south",
                "article": f"article {n % 4}",
                "amount": 10.0,
                "at": time.time_ns(),
            },
        )
    stack.flush()


def points(page: Page, card: str) -> int:
    return int(page.get_by_test_id(f"chart-{card}").get_attribute("data-points") or 0)


def test_a_new_flow_has_a_page_with_every_card_without_a_reload(
    stack: Stack, signed_in: Page, till: dict[str, Any]
) -> None:
    page = signed_in
    page.evaluate("window.neverReloaded = true")
    page.get_by_test_id("nav-till").click()
    sell(stack, till, 30)
    tile = page.get_by_test_id("tile-turnover")
    expect(tile.get_by_test_id("tile-value")).to_have_text("300.00")
    expect(tile).to_contain_text("EUR")
    expect(tile).to_contain_text("30 sales")
    grid = page.get_by_test_id("sales")
    expect(grid.get_by_test_id("row-count")).to_have_attribute("data-total", "30")
    grid.get_by_test_id("mode-events").click()
    expect(grid.get_by_test_id("cell-article").first).to_be_visible()
    rows = page.get_by_test_id("best-articles").get_by_test_id("list-row")
    expect(rows).to_have_count(4)
    expect(rows.first).to_contain_text("80.00")
    eventually("a bar for each article", lambda: points(page, "turnover-by-article") == 4)
    eventually("lines", lambda: points(page, "turnover-15-min") > 0)
    # One filter for all of them.
    page.get_by_test_id("page-filter").select_option("north")
    expect(tile).to_contain_text("10 sales")
    expect(rows.first).to_contain_text("30.00")
    assert page.evaluate("window.neverReloaded")


def test_an_open_page_follows_its_declaration_and_says_when_it_is_removed(
    stack: Stack, signed_in: Page, till: dict[str, Any]
) -> None:
    page = signed_in
    page.evaluate("window.neverReloaded = true")
    sell(stack, till, 6)
    page.get_by_test_id("nav-till").click()
    expect(page.get_by_test_id("tile-turnover")).to_be_visible()
    # As declared otherwise: another title, and a card less.
    cards = [card for card in till["page"]["cards"] if "tile" not in card]
    other = {**till, "page": {**till["page"], "title": "The till", "cards": cards}}
    sent(stack, {"apply": {"name": "till", **other}})
    expect(page.get_by_test_id("tile-turnover")).to_have_count(0)
    expect(page.get_by_test_id("nav-till")).to_have_text("The till")
    expect(page.get_by_test_id("sales")).to_be_visible()
    sent(stack, {"remove": "till"})
    gone = page.get_by_test_id("no-page")
    expect(gone).to_contain_text("This flow was removed")
    expect(page.get_by_test_id("nav-till")).to_have_count(0)
    gone.get_by_text("Customers").click()
    expect(page.get_by_test_id("panel-users")).to_be_visible()
    assert page.evaluate("window.neverReloaded")
    # For the fixture to remove.
    sent(stack, {"apply": {"name": "till", **till}})


def test_a_table_that_is_looked_at_says_when_it_is_removed(
    stack: Stack, signed_in: Page, till: dict[str, Any]
) -> None:
    page = signed_in
    page.evaluate("location.hash = '#/table/sales_live'")
    expect(page.get_by_test_id("panel-table")).to_be_visible()
    sent(stack, {"remove": "till"})
    expect(page.get_by_test_id("no-table")).to_contain_text("removed")
    # For the fixture to remove.
    sent(stack, {"apply": {"name": "till", **till}})

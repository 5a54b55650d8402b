"""Charts that a viewer chooses the lines of, and whose table dies; a page filtered by numbers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import Complaints, opened, sign_in
from tests.support.stack import PSK, Stack, eventually
from tests.support.worlds import sent
from tidegrid import kafka

KINDS = ("books", "coats", "drums", "flour")


@pytest.fixture
def depot(stack: Stack) -> Iterator[str]:
    """Run a flow about boxes on floors; return its topic.

    A box without a kind is more than the formula of one of its screens can do.
    """
    topic = f"depot.boxes.{time.time_ns()}"
    fields = {"box": "string", "kind": "string", "floor": "long", "kilos": "double", "at": "time"}
    cards: list[dict[str, Any]] = [
        {"bars": "boxes_by_kind", "x": "boxes", "y": "kind", "name": "by-kind"},
        {"lines": "boxes_sliced", "x": "bucket", "y": "moved", "by": "kind", "name": "moved"},
        {"grid": "boxes_live", "name": "boxes", "width": 12},
    ]
    document = {
        "sources": {"boxes": {"topic": topic, "key": ["box"], "time": ["at"], "fields": fields}},
        "views": {
            "boxes_live": {"latest": "boxes"},
            "boxes_sliced": {
                "buckets": "boxes",
                "by": ["kind"],
                "every": "5s",
                "keep": "15m",
                "sum": {"moved": "kilos"},
            },
        },
        "screens": {
            "boxes_by_kind": {
                "totals": "boxes_live",
                "by": ["kind"],
                "count": "boxes",
                "sum": {"letters": "kind.length()"},
            }
        },
        "page": {"filter": "floor", "cards": cards},
    }
    kafka.ensure_topics(stack.connection, {topic: 1}, {})
    for n in range(24):
        bring(stack, topic, n, KINDS[n % len(KINDS)])
    stack.flush()
    sent(stack, {"apply": {"name": "depot", **document}})
    yield topic
    sent(stack, {"remove": "depot"})


def bring(stack: Stack, topic: str, number: int, kind: str | None) -> None:
    box = {"box": f"b{number}", "floor": 1 + number % 3, "kilos": 2.0, "at": time.time_ns()}
    stack.produce(topic, {**box, **({"kind": kind} if kind else {})})


def points(page: Page, card: str) -> int:
    return int(page.get_by_test_id(f"chart-{card}").get_attribute("data-points") or 0)


def lines(page: Page) -> list[str]:
    """Return the lines that are chosen, in their order."""
    chips = page.get_by_test_id("moved").get_by_test_id("line-chip")
    return [str(chip.get_attribute("data-line")) for chip in chips.all()]


@pytest.mark.usefixtures("depot")
def test_a_viewer_chooses_lines_and_a_link_shows_the_same(
    signed_in: Page, browser: Browser
) -> None:
    page = signed_in
    page.get_by_test_id("nav-depot").click()
    eventually("the first three", lambda: lines(page) == list(KINDS[:3]))
    card = page.get_by_test_id("moved")
    card.locator("[data-line=coats]").click()
    eventually("one less", lambda: lines(page) == ["books", "drums"])
    card.get_by_test_id("line-search").fill("flo")
    option = card.get_by_test_id("line-option")
    # All are there until the typing rests.
    expect(option).to_have_text(["flour"])
    # By the keyboard: into the list, and the one that is there.
    card.get_by_test_id("line-search").press("ArrowDown")
    page.keyboard.press("Enter")
    eventually("another one", lambda: lines(page) == ["books", "drums", "flour"])
    eventually("they are drawn", lambda: points(page, "moved") > 0)
    link = eventually("they are in the address", lambda: said(page, "flour"))
    with opened(browser, link, Complaints()) as other:
        sign_in(other, PSK)
        eventually("the same lines", lambda: lines(other) == ["books", "drums", "flour"])


def said(page: Page, line: str) -> str:
    """Return the address once it tells of a line."""
    address = str(page.evaluate("location.href"))
    return address if line in address else ""


@pytest.mark.usefixtures("depot")
def test_a_page_is_filtered_by_numbers(signed_in: Page) -> None:
    page = signed_in
    page.get_by_test_id("nav-depot").click()
    choice = page.get_by_test_id("page-filter")
    wanted = ["All", "1", "2", "3"]
    eventually("the floors", lambda: choice.locator("option").all_inner_texts() == wanted)
    rows = page.get_by_test_id("boxes").get_by_test_id("row-count")
    expect(rows).to_have_attribute("data-total", "24")
    choice.select_option("2")
    expect(rows).to_have_attribute("data-total", "8")
    # What has no floors shows what it did.
    assert points(page, "by-kind") == len(KINDS)


def test_a_chart_says_that_its_table_died_and_follows_the_next_one(
    stack: Stack, depot: str, signed_in: Page, complaints: Complaints
) -> None:
    page = signed_in
    # The JS API itself writes to the console that a table has failed.
    complaints.outage = True
    page.evaluate("window.neverReloaded = true")
    page.get_by_test_id("nav-depot").click()
    eventually("the bars", lambda: points(page, "by-kind") == len(KINDS))
    problem = page.get_by_test_id("by-kind").get_by_test_id("card-problem")
    expect(problem).to_be_empty()
    stack.harm()
    bring(stack, depot, 100, None)
    stack.flush()
    expect(problem).to_contain_text("Trying again")
    # It keeps what it showed last, and the others go on.
    assert points(page, "by-kind") == len(KINDS)
    rows = page.get_by_test_id("boxes").get_by_test_id("row-count")
    expect(rows).to_have_attribute("data-total", "25")
    expect(page.get_by_test_id("moved").get_by_test_id("card-problem")).to_be_empty()
    # Its kind is told now: the screen is rebuilt, and has one more bar.
    bring(stack, depot, 100, "glass")
    stack.flush()
    eventually("one more bar", lambda: points(page, "by-kind") == len(KINDS) + 1)
    expect(problem).to_be_empty()
    assert page.evaluate("window.neverReloaded")

"""The page as it is read: what is said about its cards, and what they are when nothing is said."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.declaration.examples import FAMILY, ORDERS, changed, said
from tidegrid.contract.declaration import parse
from tidegrid.contract.declaration.page import page_of
from tidegrid.contract.declaration.types import ColumnStyle


def page(*cards: dict[str, Any], **more: object) -> dict[str, Any]:
    """Return the page of the orders with these cards."""
    document = changed(ORDERS, ("page", {"cards": list(cards), **more}))
    return page_of(parse(document, "orders"))


def problem(card: dict[str, Any]) -> str:
    """Return the first thing that is wrong with a card, without its place."""
    lines = said(changed(ORDERS, ("page", {"cards": [card]})))
    return lines[0].removeprefix("f.toml: page.cards[0]") if lines else ""


@pytest.mark.parametrize(
    ("card", "line"),
    [
        ({"grid": ["orders_live", "order_events"], "forms": ["Latest", "Events"]}, ""),
        ({"grid": "orders_live", "columns": ["orderId", "ts"], "sort": "-amount"}, ""),
        ({"tile": "recent", "value": "revenue", "down": "n", "unit": "EUR"}, ""),
        ({"tile": "recent", "value": "revenue", "detail": "{n} orders, {revenue:compact}"}, ""),
        ({"bars": "sums", "x": "amount", "y": "channel", "colour": "channel", "rows": 5}, ""),
        ({"lines": "sliced", "x": "bucket", "y": "n", "by": "channel", "pick": "sums"}, ""),
        ({"list": "best", "by": "amount", "both": True, "filtered": "orders_live"}, ""),
        (
            {"grid": ["orders_live", "order_events"], "forms": ["Latest"]},
            ".forms: expected 2, one for each table, got 1",
        ),
        (
            {"grid": ["orders_live", "recent"], "columns": ["revenu"]},
            ".columns: no table has a column 'revenu'; did you mean 'revenue'?",
        ),
        ({"grid": "orders_live", "sort": "-amont"}, ".sort: no table has a column 'amont'; did "),
        ({"grid": "best", "name": "Best one"}, ".name: 'Best one' is no name of a card; use "),
        ({"tile": "recent", "value": "n", "detail": "{m} of"}, ".detail: 'recent' has no column"),
        ({"tile": "recent", "value": "n", "detail": "{} of"}, ".detail: 'recent' has no column"),
        (
            {"tile": "recent", "value": "n", "detail": "{n:short}"},
            ".detail: 'short' is none of text, integer, ",
        ),
        ({"tile": "recent", "value": "n", "format": "short"}, ".format: 'short' is none of "),
        ({"tile": "recent", "value": "n", "down": "m"}, ".down: 'recent' has no column 'm'"),
        ({"bars": "sums", "x": "amount", "y": "channel", "colour": "c"}, ".colour: 'sums' has no"),
        (
            {"lines": "sliced", "x": "bucket", "y": "n", "pick": "sums"},
            ".pick: says nothing; it needs by",
        ),
        (
            {"lines": "sliced", "x": "bucket", "y": "n", "by": "channel", "rank": "n"},
            ".rank: says nothing; it needs pick",
        ),
        (
            {"lines": "sliced", "x": "bucket", "y": "n", "by": "channel", "pick": "best_"},
            ".pick: there is no table 'best_'; did you mean 'best'?",
        ),
        ({"list": "best", "both": True}, ".both: says nothing; it needs by"),
        (
            {"list": "best", "columns": ["paid"], "filtered": "recent"},
            ".filtered: 'recent' has no column 'paid'",
        ),
    ],
)
def test_the_words_of_each_card(card: dict[str, Any], line: str) -> None:
    found = problem(card)
    assert found.startswith(line) if line else found == ""


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ({"path": "gold", "title": "Gold"}, ""),
        ({"path": "operations"}, "page.path: 'operations' is a page of Tidegrid's own; choose "),
        ({"path": "a/b"}, "page.path: 'a/b' is no address; use small letters"),
    ],
)
def test_the_address_of_a_page(more: dict[str, Any], line: str) -> None:
    lines = said(changed(ORDERS, ("page", more)))
    assert lines[0].startswith(f"f.toml: {line}") if line else lines == []


def test_two_cards_cannot_have_the_same_name() -> None:
    cards = [{"grid": "best", "name": "one"}, {"grid": "sums", "name": "one"}]
    (line,) = said(changed(ORDERS, ("page", {"cards": cards})))
    assert line == "f.toml: page.cards: two cards have the name 'one'; rename one"


def test_what_is_left_out_is_filled_in() -> None:
    tile, grid = page(
        {"tile": "recent", "value": "n", "detail": "revenue"}, {"grid": "best", "width": "8"}
    )["cards"]
    assert tile == {
        "kind": "tile",
        "tables": ["recent"],
        "title": "recent",
        "width": 3,
        "name": "recent",
        "hint": "",
        "empty": "",
        "value": "n",
        "down": "",
        "detail": "revenue {revenue}",
        "trend": "",
        "unit": "",
        "format": "",
    }
    assert (grid["width"], grid["forms"], grid["columns"], grid["sort"]) == (8, ["best"], [], "")


def test_names_come_from_titles_and_are_unique() -> None:
    cards = page(
        {"grid": "best", "title": "P&L, by desk"},
        {"grid": "best", "title": "P&L by desk"},
        {"grid": "best", "title": "2026"},
        {"grid": "best", "title": "Other", "name": "grid-2"},
        {"grid": "best", "title": "2027"},
    )["cards"]
    assert [card["name"] for card in cards] == [
        *("p-l-by-desk", "p-l-by-desk-2", "grid", "grid-2", "grid-3")
    ]


def test_a_page_is_at_the_name_of_its_flow_unless_it_says_where() -> None:
    assert page()["path"] == "orders"
    assert page(path="gold", title="Gold", filter="channel") == {
        "path": "gold",
        "title": "Gold",
        "filter": "channel",
        "cards": [],
    }
    assert page_of(parse(ORDERS, "table"))["path"] == "table-flow"


def test_a_flow_without_a_page_has_a_grid_for_each_view() -> None:
    cards: Any = page_of(parse(ORDERS, "orders"))["cards"]
    assert [card["tables"] for card in cards] == [
        *(["orders_live", "order_events"], ["customers_live"], ["sliced"])
    ]
    assert [card["width"] for card in cards] == [6, 6, 12]
    family: Any = page_of(parse(FAMILY, "family"))["cards"]
    assert [(card["name"], card["width"]) for card in family] == [("both", 6), ("then", 6)]


def test_the_only_grid_of_a_flow_has_its_title_and_the_whole_page() -> None:
    views = {
        "orders_latest": {"latest": "orders", "title": "Latest"},
        "orders_events": {"events": "orders", "title": "Events"},
    }
    sources = {"orders": ORDERS["sources"]["orders"]}
    document = {"title": "Shop orders", "sources": sources, "views": views}
    cards: Any = page_of(parse(document, "orders"))["cards"]
    assert [(card["title"], card["width"]) for card in cards] == [("Shop orders", 12)]
    assert cards[0]["forms"] == ["Latest", "Events"]


def test_a_column_may_have_a_width() -> None:
    flow = parse(changed(ORDERS, ("columns", {"amount": {"width": 80}})), "orders")
    assert flow.columns == {"amount": ColumnStyle(width=80)}
    (line,) = said(changed(ORDERS, ("columns", {"amount": {"width": 5}})))
    assert line == "f.toml: columns.amount.width: 5 is not in 24 to 2000"

"""What is said about screens and the page."""

from __future__ import annotations

import time

import pytest

from tests.unit.declaration.examples import GONE, ORDERS, changed, said
from tidegrid.contract.declaration import parse
from tidegrid.contract.declaration.check_screens import shapes

COUNTED = {"totals": "orders_live", "by": ["channel"], "count": "n"}


@pytest.mark.parametrize(
    ("place", "value", "line"),
    [
        ("recent.window", "slicd", ".window: there is no view or screen 'slicd'; did you mean "),
        ("recent.window", "orders_live", ".window: 'orders_live' is no bucket view; there are "),
        ("recent.over", GONE, '.over: is missing; give a duration such as "5s", "15m" or "1h"'),
        (
            "recent.over",
            "1h",
            ".over: 3600 s is not in 1 to 900, which 'sliced' keeps; keep more in views.sliced.ke",
        ),
        ("recent.by", ["revenue"], ".by: there is no column 'revenue'; there are channel"),
        ("recent.rollup", "n", ".rollup: 'n' is no group of 'sliced'; there are channel"),
        ("recent.show", ["revenu"], ".show: there is no column 'revenu'; did you mean 'revenue'?"),
        ("recent.show", ["openingTs"], ".show: there is no column 'openingTs'; did you mean "),
        ("recent.columns", {"k": "n"}, ".columns.k: 'k' is a word that Deephaven reserves; "),
        ("recent.columns", {"ts": "n"}, ".columns.ts: 'ts' is a column that every table has; "),
        ("recent.columns", {"a": " "}, ".columns.a: expected an expression, got ' '"),
        ("recent.where", [], ".where: expected an expression, got []"),
        ("recent.hidden", True, ": is hidden, and nothing is made of it; take `hidden` or the "),
        ("recent.hidden", 1, ".hidden: expected true or false, got 1"),
        ("best.by", "amout", ".by: there is no column 'amout'; did you mean 'amount'?"),
        ("best.by", GONE, ".by: is missing"),
        ("best.by", "channel", ".by: 'channel' is of type string; name a column with numbers"),
        ("best.per", "chanel", ".per: there is no column 'chanel'; did you mean 'channel'?"),
        ("best.rows", 0, ".rows: 0 is not in 1 to 10000"),
        ("best.side", "way", ".side: is of no use without both = true; add it"),
        ("best.by_sign", True, ".by_sign: is of no use without both = true; add it"),
        (
            "best",
            {"top": "orders_live", "by": "amount", "both": True, "side": "paid"},
            ".side: there is a column 'paid'; choose another name",
        ),
        (
            "best",
            {"top": "orders_live", "by": "amount", "both": True, "side": "in"},
            ".side: 'in' is a word that Deephaven reserves; choose another name",
        ),
        ("sums.sum", GONE, ": nothing is counted or summed; add count or sum"),
        ("sums.sum", ["amout"], ".sum: there is no column 'amout'; did you mean 'amount'?"),
        ("sums.sum", ["paid"], ".sum: 'paid' is of type boolean; only numbers have a sum"),
        ("sums.sum", {"x y": "amount"}, ".sum.'x y': 'x y' is no name; a name has letters"),
        ("sums.sum", ["channel"], ".sum: there are two columns 'channel'; choose another name"),
        ("sums.count", "amount", ".count: there are two columns 'amount'; choose another name"),
        ("sums.count", "topic", ".count: 'topic' is a column that every table has; choose "),
        ("sums.by", ["chanel"], ".by: there is no column 'chanel'; did you mean 'channel'?"),
        (
            "sums.rollup",
            "paid",
            ".rollup: 'paid' is of type boolean, and cannot be 'All'; it takes",
        ),
        ("sums.rollup", "no", ".rollup: there is no column 'no'; there are orderId, customerId"),
        ("sums.show", ["generation"], ".show: 'generation' is in every table; leave it out"),
        ("named.on", GONE, ".on: is missing"),
        (
            "named.on",
            "orderId",
            ".on: 'customers_live' has no column 'orderId'; there are customerId, name",
        ),
        (
            "named.left_join",
            ["customers_live", "orders_live"],
            ".on: the rows of 'orders_live' are told apart by orderId; name all of them",
        ),
        (
            "named.left_join",
            ["customers_live", "order_events"],
            ".left_join: nothing tells the rows of 'order_events' apart; join a latest view, ",
        ),
        ("named.left_join", ["orders_live"], ".left_join: expected two names in a list, such as "),
        ("named.clock", "name", ".clock: there is a column 'name'; choose another name"),
        ("named.clock", "do", ".clock: 'do' is a word that Deephaven reserves; choose another "),
        (
            "named",
            {"left_join": ["orders_live", "sums"], "on": "channel"},
            ".left_join: both tables have a column 'amount'; show it in one of them only, or give ",
        ),
        ("named.top", "orders_live", ": top and left_join are two operators; keep one of them"),
        ("named.lft", 1, ".lft: is unknown; there are left_join, on, clock, where, columns, "),
        ("named", {}, ": has no operator: one of window, top, totals, left_join, full_join"),
        ("orders_live", COUNTED, ": there is a view 'orders_live'; choose another name"),
    ],
)
def test_a_screen_that_cannot_be_used(place: str, value: object, line: str) -> None:
    document = changed(ORDERS, (f"screens.{place}", value))
    assert said(document)[0].startswith(f"f.toml: screens.{place.split('.')[0]}{line}")


def test_columns_that_are_joined_by_have_one_type() -> None:
    document = changed(ORDERS, ("sources.customers.fields.customerId", "long"))
    assert said(document) == [
        "f.toml: screens.named.on: 'customerId' is of type string and long; make them alike"
    ]


def test_a_screen_is_not_made_of_itself() -> None:
    document = changed(
        ORDERS,
        ("screens.a", {"top": "b", "by": "amount"}),
        ("screens.b", {"top": "c", "by": "amount"}),
        ("screens.c", {"top": "a", "by": "amount"}),
        ("page", {"cards": [{"grid": "a"}]}),
    )
    (line,) = said(document)
    assert line.startswith("f.toml: screens.a.top: a screen cannot be made of itself: a of ")
    (line,) = said(changed(ORDERS, ("screens.a", {"top": "a", "by": "amount"})))
    assert line == (
        "f.toml: screens.a.top: a screen cannot be made of itself: a of a; make one of them of a "
        "view"
    )


def test_what_was_not_read_is_not_missed() -> None:
    document = changed(ORDERS, ("views.orders_live", {}), ("page", {"cards": [{"grid": "best"}]}))
    assert said(document) == [
        "f.toml: views.orders_live: has no operator: one of latest, events, join, as_of, buckets"
    ]


@pytest.mark.parametrize(
    ("card", "line"),
    [
        ({"grid": ["orders_live", "recent", "rejects"], "width": 12, "title": "x"}, ""),
        ({"tile": "recent", "value": "revenue", "detail": "n", "trend": "sliced"}, ""),
        ({"bars": "sums", "x": "amount", "y": "channel"}, ""),
        ({"lines": "sliced", "x": "bucket", "y": "revenue", "by": "channel"}, ""),
        ({"list": "best", "columns": ["orderId", "amount"], "rows": 5}, ""),
        ({"grd": "best"}, ": is of no kind; a card has one of grid, tile, bars, lines, list"),
        ({"grid": "best", "list": "best"}, ": grid and list are two kinds; a card has one of "),
        ({"grid": "bst"}, ".grid: there is no table 'bst'; did you mean 'best'?"),
        ({"list": ["best", "sums"]}, ".list: expected one table; only a grid takes several"),
        ({"tile": "recent"}, ".value: is missing; tile needs a column"),
        ({"tile": "recent", "value": "x"}, ".value: 'recent' has no column 'x'; there are "),
        ({"tile": "recent", "value": "n", "trend": "x"}, ".trend: there is no table 'x'; there "),
        ({"bars": "sums", "x": "amount"}, ".y: is missing; bars needs a column"),
        ({"grid": "best", "width": 13}, ".width: 13 is not in 1 to 12"),
        ({"grid": "best", "widht": 6}, ".widht: is unknown; did you mean 'width'?"),
        ({"grid": ["orders_live", "rejects"]}, ""),
        ({"tile": "rejects", "value": "n"}, ".value: 'rejects' has no column 'n'; there are ts, "),
        ({"tile": "recent", "value": []}, ".value: expected a text, got []"),
        ({"bars": "sums", "x": "amount, n", "y": "n"}, ".x: 'sums' has no column 'amount, n'; "),
        ({"tile": "recent", "value": "n", "trend": "sums"}, ".trend: 'sums' has no column 'buck"),
        ({"grid": "best", "x": "amount"}, ".x: is unknown; there are grid, title, width, name"),
        ("best", ": expected a table, got 'best'"),
    ],
)
def test_a_card_shows_what_is_there(card: object, line: str) -> None:
    lines = said(changed(ORDERS, ("page", {"filter": "channel", "cards": [card]})))
    if line:
        assert lines[0].startswith(f"f.toml: page.cards[0]{line}")
    else:
        assert lines == []


def test_thousands_of_mistakes_are_told_in_no_time() -> None:
    fields = {f"field{n}": "double" for n in range(490)}
    shown = [f"feild{n}" for n in range(1500)]
    document = changed(
        ORDERS, ("sources.orders.fields", {**ORDERS["sources"]["orders"]["fields"], **fields})
    )
    begun = time.process_time()
    lines = said(changed(document, ("screens.best.show", shown)))
    assert (len(lines), "did you mean 'field0'?" in lines[0]) == (1500, True)
    assert len(said(changed(document, ("screens.best.show", shown * 9)))) == 3000
    assert time.process_time() - begun < 5


def test_a_card_of_a_hidden_screen_is_told_so() -> None:
    page = {"cards": [{"grid": "recent"}]}
    lines = said(changed(ORDERS, ("screens.recent.hidden", True), ("page", page)))
    place = "f.toml: page.cards[0].grid"
    assert f"{place}: 'recent' is hidden; take `hidden` away from the screen" in lines


@pytest.mark.parametrize(
    ("page", "line"),
    [
        ({"filter": "chanel"}, "page.filter: no table has a column 'chanel'; did you mean "),
        ({"cards": {}}, "page.cards: expected cards; write each as [[page.cards]]"),
        ({"card": []}, "page.card: is unknown; did you mean 'cards'?"),
        ("grid", "page: expected a table, got 'grid'"),
    ],
)
def test_a_page_that_cannot_be_used(page: object, line: str) -> None:
    assert said(changed(ORDERS, ("page", page)))[0].startswith(f"f.toml: {line}")


def test_a_column_has_a_name() -> None:
    (line,) = said(changed(ORDERS, ("screens.sums.columns", {"": "1"})))
    assert line.startswith("f.toml: screens.sums.columns.'': '' is no name; ")


@pytest.mark.parametrize(
    "screen",
    [
        # Orders of one customer are several rows.
        {"full_join": ["orders_live", "customers_live"], "on": "customerId"},
        {
            "totals": "orders_live",
            "by": ["customerId"],
            "count": "n",
            "columns": {"customerId": "`all`"},
        },
    ],
)
def test_rows_that_may_be_alike_are_no_second_table_of_a_join(screen: object) -> None:
    joined = {"left_join": ["names", "alike"], "on": "customerId"}
    document = changed(
        ORDERS,
        ("screens.alike", screen),
        ("views.names", {"latest": "customers", "show": ["customerId"]}),
        ("screens.joined", joined),
    )
    assert said(document) == [
        "f.toml: screens.joined.left_join: nothing tells the rows of 'alike' apart; join a latest "
        "view, totals or a window"
    ]


def test_a_measure_has_its_type_whatever_it_is_called() -> None:
    document = changed(
        ORDERS,
        ("views.sliced.sum", {"bowTie": "net"}),
        ("views.sliced.first", {"firstTs": "amount"}),
        ("screens.sums", {"totals": "sliced", "by": ["channel"], "sum": ["firstTs"]}),
    )
    assert said(document) == []
    assert shapes(parse(document, "shop"))["sliced"].columns["bowTie"] == "double"

"""What several rows of a table make as one, and the tiles that could not say anything right."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.declaration.examples import ORDERS, changed, said
from tidegrid.contract.declaration import parse
from tidegrid.contract.declaration.check_screens import shapes
from tidegrid.contract.declaration.combine import combined, is_one_row, rollup_of

SLICED = changed(
    ORDERS,
    ("views.sliced.by", ["channel", "customerId"]),
    ("views.sliced.min", {"least": "amount"}),
    ("views.sliced.max", {"most": "amount"}),
    ("views.sliced.last", {"closing": "amount"}),
)
OF_BUCKETS = {"n": "sum", "revenue": "sum", "least": "min", "most": "max"}


def made(name: str, screen: dict[str, Any], *more: tuple[str, object]) -> tuple[Any, str, bool]:
    """Return what is known of a screen: what its columns make together, its rollup, if one row."""
    flow = parse(changed(SLICED, (f"screens.{name}", screen), *more), "orders")
    known = shapes(flow)
    return (
        combined(flow, name, known),
        rollup_of(flow, name, known),
        is_one_row(flow, name, known),
    )


def test_counts_sums_and_extremes_of_buckets_go_together_but_no_firsts_and_lasts() -> None:
    flow = parse(SLICED, "orders")
    known = shapes(flow)
    assert combined(flow, "sliced", known) == OF_BUCKETS
    assert combined(flow, "orders_live", known) == combined(flow, "named", known) == {}


@pytest.mark.parametrize(
    ("screen", "words", "rollup", "one_row"),
    [
        ({"window": "sliced", "over": "5m"}, OF_BUCKETS, "", False),
        ({"window": "sliced", "over": "5m", "rollup": "channel"}, OF_BUCKETS, "channel", False),
        (
            {"window": "sliced", "over": "5m", "columns": {"n": "n * 2", "per": "revenue / n"}},
            {"revenue": "sum", "least": "min", "most": "max"},
            "",
            False,
        ),
        ({"window": "sliced", "over": "5m", "show": ["channel", "n"]}, {"n": "sum"}, "", False),
        (
            {"totals": "sliced", "sum": ["n"], "count": "rows"},
            {"n": "sum", "rows": "sum"},
            "",
            True,
        ),
        ({"totals": "sliced", "rollup": "channel", "sum": ["n"]}, {"n": "sum"}, "channel", True),
        ({"totals": "sliced", "by": ["channel"], "sum": ["n"]}, {"n": "sum"}, "", False),
        # Rows called All are among the others, and nothing tells them apart.
        ({"totals": "sliced", "rollup": "channel", "sum": ["n"], "show": ["n"]}, {}, "", False),
        ({"top": "sliced", "by": "n"}, OF_BUCKETS, "", False),
        ({"top": "sliced", "by": "n", "rows": 1}, OF_BUCKETS, "", True),
        ({"top": "sliced", "by": "n", "rows": 1, "per": "channel"}, OF_BUCKETS, "", False),
    ],
)
def test_a_screen_has_what_its_operator_leaves(
    screen: dict[str, Any], words: dict[str, str], rollup: str, one_row: bool
) -> None:
    assert made("made", screen) == (words, rollup, one_row)


def test_the_second_table_of_a_join_counts_only_if_each_of_its_rows_is_there_once() -> None:
    by_channel = ("screens.load", {"totals": "orders_live", "by": ["channel"], "sum": ["amount"]})
    by_both = ("screens.each", {"window": "sliced", "over": "5m", "show": ["channel", "n"]})
    join = {"left_join": ["each", "load"], "on": "channel"}
    assert made("made", join, by_channel, by_both)[0] == {"n": "sum"}
    by_channel_too = ("screens.each", {"window": "sliced", "over": "5m", "by": ["channel"]})
    words, rollup, _ = made("made", join, by_channel, by_channel_too)
    assert (words, rollup) == ({**OF_BUCKETS, "amount": "sum"}, "")


def test_totals_of_rows_that_are_over_all_already_cannot_be_put_together() -> None:
    below = ("screens.rolled", {"window": "sliced", "over": "5m", "rollup": "channel"})
    totals = {"totals": "rolled", "by": ["channel"], "rollup": "customerId", "sum": ["n"]}
    assert made("made", totals, below) == ({}, "customerId", False)
    assert made("made", {**totals, "rollup": ""}, below) == ({"n": "sum"}, "channel", True)


def problem(screen: dict[str, Any], card: dict[str, Any]) -> str:
    """Return what is said about a tile of a screen, without its place; nothing if it can be."""
    page = {"filter": "channel", "cards": [{"tile": "made", **card}]}
    lines = said(changed(SLICED, ("screens.made", screen), ("page", page)))
    return "\n".join(line.removeprefix("f.toml: page.cards[0].") for line in lines)


def test_a_tile_takes_columns_that_have_a_value_for_all() -> None:
    rolled = {"totals": "orders_live", "rollup": "channel", "sum": ["amount"], "count": "n"}
    average = {"average": "amount / n"}
    assert problem({**rolled, "columns": average}, {"value": "average"}) == ""
    assert problem({"window": "sliced", "over": "5m"}, {"value": "n", "detail": "{most}"}) == ""
    assert problem({"top": "orders_live", "by": "amount", "rows": 1}, {"value": "orderId"}) == ""


def test_a_tile_of_a_column_that_is_another_one_in_each_row_is_refused() -> None:
    by_channel = {"window": "sliced", "over": "5m", "by": ["channel"]}
    assert problem(by_channel, {"value": "opening"}) == (
        "value: 'opening' is another one in each row of 'made'; show a count, a sum, a min or a "
        'max, or give screens.made rollup = "channel"'
    )
    assert problem({"top": "orders_live", "by": "amount"}, {"value": "amount"}) == (
        "value: 'amount' is another one in each row of 'made'; show a count, a sum, a min or a "
        "max, or a table with one row, such as totals without by"
    )
    for key, card in (("down", {"down": "opening"}), ("detail", {"detail": "{n} of {opening}"})):
        assert problem(by_channel, {"value": "n", **card}).startswith(f"{key}: 'opening' is")


def test_a_flow_that_runs_with_such_a_tile_goes_on() -> None:
    page = {"cards": [{"tile": "orders_live", "value": "amount"}]}
    document = changed(ORDERS, ("page", page))
    assert len(said(document)) == 1
    assert said(document, lenient=True) == []


@pytest.mark.parametrize(
    ("page", "place"),
    [
        ({"filter": "at", "cards": [{"grid": "orders_live"}]}, "page.filter"),
        (
            {"cards": [{"lines": "orders_live", "x": "at", "y": "amount", "by": "at"}]},
            "page.cards[0].by",
        ),
    ],
)
def test_nobody_chooses_from_times(page: dict[str, Any], place: str) -> None:
    (line,) = said(changed(ORDERS, ("page", page)))
    what = "'at' is of type time; take a column with texts, numbers, or true and false"
    assert line == f"f.toml: {place}: {what}"

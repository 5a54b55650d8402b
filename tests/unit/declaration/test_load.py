"""The forms in which things may be said, and that all that is wrong is said at once."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.declaration.examples import FAMILY, ORDERS, changed, said
from tidegrid.contract.declaration import parse
from tidegrid.contract.declaration.check_screens import screens_in_order
from tidegrid.contract.declaration.types import (
    AsOf,
    Buckets,
    ColumnStyle,
    Events,
    Field,
    Join,
    JoinTables,
    KafkaKey,
    Latest,
    Source,
    Top,
    Totals,
    Window,
)


def test_what_is_left_out_has_its_default() -> None:
    flow = parse(FAMILY, "family")
    assert (flow.name, flow.title, flow.rejects_keep, flow.page) == ("family", "family", 1000, None)
    assert flow.sources["users"] == Source(
        "users",
        "users",
        ("userId",),
        {"userId": Field("userId", path=("userId",)), "name": Field("name", path=("name",))},
    )
    assert flow.views == {
        "both": Join("both", "users", "accounts"),
        "then": AsOf("then", "users", "accounts"),
    }
    assert flow.join == "left"


def test_every_operator_is_read() -> None:
    flow = parse(ORDERS, "shop")
    assert flow.views == {
        "orders_live": Latest("orders_live", "orders"),
        "order_events": Events("order_events", "orders"),
        "customers_live": Latest("customers_live", "customers"),
        "sliced": Buckets(
            "sliced",
            "orders",
            ("channel",),
            5,
            900,
            count="n",
            sum={"revenue": "net"},
            first={"opening": "amount"},
        ),
    }
    assert flow.screens == {
        "recent": Window("recent", "sliced", 300),
        "best": Top("best", "orders_live", "amount"),
        "sums": Totals("sums", "orders_live", ("channel",), sum={"amount": "amount"}),
        "named": JoinTables("named", "orders_live", "customers_live", ("customerId",)),
    }
    assert flow.join == ""


def test_everything_that_may_be_said_is_read() -> None:
    flow = parse(
        {
            "name": "all-of_it",
            "title": "All of it",
            "rejects": "50",
            "sources": {
                "a": {
                    "topic": "a.topic",
                    "key": "id, part",
                    "time": "at",
                    "max_ahead": "2d",
                    "where": "x > 0",
                    "delete": "gone",
                    "kafka_key": {"json": ["id", "part"]},
                    "encoding": "base64",
                    "fields": {
                        "id": {"type": "scalar", "from": "$key"},
                        "part": {"type": "long", "from": ["doc", "part no"], "lenient": "true"},
                        "x": {"type": "double", "default": "1.5"},
                        "y": {"type": "long", "default": 2},
                        "gone": {"type": "boolean", "default": "false"},
                        "at": {"type": "time", "from": "meta.at"},
                        "h": {"type": "string", "from": "$headers.a.b", "trim": True},
                        "s": {"upper": True, "one_of": ["A", "B"], "default": "A"},
                        "j": "json",
                    },
                    "columns": {"twice": "2 * x"},
                }
            },
            "lookups": {"l": {"parquet": "p", "on": "s", "columns": ["town"]}},
            "views": {
                "v": {"latest": "a", "lookup": "l", "show": ["id", "twice", "town"], "title": "V"}
            },
            "screens": {
                "t": {
                    "top": "v",
                    "by": "twice",
                    "rows": "7",
                    "both": True,
                    "per": "town",
                    "side": "way",
                    "by_sign": True,
                    "where": "!isNull(id)",
                    "columns": {"more": "twice + 1"},
                    "having": "more > 0",
                    "show": ["id", "more", "way"],
                    "title": "T",
                }
            },
            "columns": {"twice": {"label": "twice x", "format": "money", "tone": "sign"}},
            "page": {"filter": "town", "cards": [{"grid": ["v", "t"], "width": 8, "title": "G"}]},
        },
        "all-of_it",
    )
    source = flow.sources["a"]
    assert (flow.title, flow.rejects_keep) == ("All of it", 50)
    assert source.key == ("id", "part")
    assert (source.time, source.max_ahead) == (("at",), 172_800)
    assert (source.where, source.delete, source.encoding) == ("x > 0", "gone", "base64")
    assert source.kafka_key == KafkaKey(("id", "part"), json=True)
    assert source.columns == {"twice": "2 * x"}
    assert list(source.fields.values()) == [
        Field("id", "scalar", ("$key",)),
        Field("part", "long", ("doc", "part no"), lenient=True),
        Field("x", "double", ("x",), default=1.5),
        Field("y", "long", ("y",), default=2),
        Field("gone", "boolean", ("gone",), default=False),
        Field("at", "time", ("meta", "at")),
        Field("h", "string", ("$headers", "a.b"), trim=True),
        Field("s", "string", ("s",), default="A", one_of=("A", "B"), upper=True),
        Field("j", "json", ("j",)),
    ]
    assert flow.views["v"] == Latest("v", "a", "l", show=("id", "twice", "town"), title="V")
    assert flow.screens["t"] == Top(
        "t",
        "v",
        "twice",
        rows=7,
        both=True,
        per="town",
        side="way",
        by_sign=True,
        where="!isNull(id)",
        columns={"more": "twice + 1"},
        having="more > 0",
        show=("id", "more", "way"),
        title="T",
    )
    assert flow.columns == {"twice": ColumnStyle("twice x", "money", "sign")}
    assert flow.page == {
        "filter": "town",
        "cards": [{"grid": ["v", "t"], "width": 8, "title": "G"}],
    }


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("5s", 5), ("15m", 900), ("1h", 3600), ("1d", 86400), (90, 90), ("90", 90), ("2 m", 120)],
)
def test_durations_are_in_seconds(value: object, seconds: int) -> None:
    buckets = parse(
        changed(ORDERS, ("views.sliced.keep", "2d"), ("views.sliced.every", value)), "f"
    )
    view = buckets.views["sliced"]
    assert isinstance(view, Buckets)
    assert view.every == seconds


def test_all_that_is_wrong_is_said_at_once() -> None:
    document = changed(
        ORDERS,
        ("titel", "x"),
        ("sources.orders.keey", ["orderId"]),
        ("sources.orders.fields.amount", "float"),
        ("views.orders_live.latest", "ordrs"),
        ("views.order_events.keep", "many"),
        ("screens.best.by", "amout"),
    )
    assert said(document) == [
        "f.toml: sources.orders.fields.amount.type: 'float' is none of string, scalar, long, "
        "double, boolean, time, json",
        "f.toml: sources.orders.keey: is unknown; did you mean 'key'?",
        "f.toml: views.order_events.keep: expected a whole number, got 'many'",
        "f.toml: titel: is unknown; did you mean 'title'?",
        "f.toml: views.orders_live.latest: there is no source 'ordrs'; did you mean 'orders'?",
    ]


def test_unknown_keys_are_ignored_when_a_newer_version_may_have_written_them() -> None:
    document: dict[str, Any] = changed(
        ORDERS,
        ("new", {"a": 1}),
        ("sources.orders.new", 1),
        ("sources.orders.fields.paid", {"type": "boolean", "new": 1}),
        ("views.sliced.new", 1),
        ("screens.best.new", 1),
        ("columns.net", {"label": "Net", "new": 1}),
    )
    assert len(said(document)) == 6
    assert said(document, lenient=True) == []


@pytest.mark.parametrize("document", [{}, {"sources": {}}, {"views": {}, "sources": {}}])
def test_a_flow_has_a_source_and_a_view(document: dict[str, Any]) -> None:
    assert said(document) == [
        "f.toml: sources: there are none; a flow has at least one: [sources.NAME]",
        "f.toml: views: there are none; a flow has at least one: [views.NAME]",
    ]


@pytest.mark.parametrize(
    ("place", "value", "line"),
    [
        ("sources", 5, "sources: expected a table, got 5"),
        ("views.orders_live", "orders", "views.orders_live: expected a table, got 'orders'"),
        ("title", 5, "title: expected a text, got 5"),
        ("title", "a\0b", "title: 'a\\x00b' has a character that no text can have"),
        ("title", "\ud800", "title: '\\ud800' has a character that no text can have"),
        ("title", "x" * 1001, "title: is longer than 1,000 characters"),
        ("rejects", 0, "rejects: 0 is not in 1 to 1000000"),
        ("rejects", True, "rejects: expected a whole number, got True"),
        ("name", "other", "name: is not 'shop', the name of the flow; leave it out"),
        ("columns.net", {"format": "euro"}, "columns.net.format: 'euro' is none of text, integer"),
        ("columns.net", {"tone": "loud"}, "columns.net.tone: 'loud' is none of sign, change"),
        ("columns.a b", {"label": "x"}, "columns.'a b': no table has a column 'a b'; there are "),
        ("columns.nett", {"label": "x"}, "columns.nett: no table has a column 'nett'; did you "),
    ],
)
def test_a_wrong_value_is_named_with_its_place(place: str, value: object, line: str) -> None:
    assert said(changed(ORDERS, (place, value)))[0].startswith(f"f.toml: {line}")


@pytest.mark.parametrize("name", ["", "Orders", "1st", "a b", "../x", "x" * 42, "rejects", "a\n"])
def test_a_flow_has_a_plain_name(name: str) -> None:
    (line,) = said(ORDERS, name)
    assert line.startswith(f"f.toml: {name!r} is ")


def test_screens_come_behind_those_they_are_made_of() -> None:
    document = changed(
        ORDERS,
        ("screens", {}),
        ("screens.c", {"top": "b", "by": "amount"}),
        ("screens.d", {"left_join": ["orders_live", "b"], "on": "channel", "show": ["orderId"]}),
        ("screens.b", {"totals": "a", "by": ["channel"], "sum": ["amount"]}),
        ("screens.a", {"top": "orders_live", "by": "amount"}),
        ("views.orders_live.show", ["orderId", "channel", "amount"]),
        ("screens.d.left_join", ["order_events", "b"]),
        ("views.order_events.show", ["orderId", "channel"]),
    )
    order = [screen.name for screen in screens_in_order(parse(document, "shop"))]
    assert sorted(order) == ["a", "b", "c", "d"]
    assert order.index("a") < order.index("b") < min(order.index("c"), order.index("d"))

"""What is said about views."""

from __future__ import annotations

import pytest

from tests.unit.declaration.examples import FAMILY, GONE, ORDERS, changed, said


@pytest.mark.parametrize(
    ("place", "value", "line"),
    [
        (
            "orders_live.latest",
            "ordrs",
            ".latest: there is no source 'ordrs'; did you mean 'orders'?",
        ),
        ("orders_live.latest", "", ".latest: is empty"),
        ("orders_live.latest", 5, ".latest: expected a text, got 5"),
        ("orders_live.keep", 5, ".keep: is unknown; there are latest, lookup, hide, show, title"),
        ("orders_live.events", "orders", ": latest and events are two operators; keep one of them"),
        (
            "orders_live",
            {"lastest": "orders"},
            ": has no operator: one of latest, events, join, as_of, buckets; did you mean 'late",
        ),
        ("orders_live.show", ["nett"], ".show: there is no column 'nett'; did you mean 'net'?"),
        ("orders_live.show", ["net", "net"], ".show: 'net' is named twice"),
        ("orders_live.show", ["generation"], ".show: 'generation' is in every table; leave it out"),
        ("orders_live.hide", ["nett"], ".hide: there is no column 'nett'; did you mean 'net'?"),
        (
            "orders_live",
            {"latest": "orders", "show": ["orderId"], "hide": ["net"]},
            ".hide: net would not be shown anyway: `show` names all columns there are; leave it",
        ),
        ("order_events.keep", 0, ".keep: 0 is not in 1 to 1000000"),
        ("order_events.keep", "1e3", ".keep: expected a whole number, got '1e3'"),
        ("sliced.by", [], ".by: is empty"),
        (
            "sliced.by",
            ["chanel"],
            ".by: the source 'orders' has no column 'chanel'; did you mean 'channel'?",
        ),
        ("sliced.every", GONE, '.every: is missing; give a duration such as "5s", "15m" or "1h"'),
        ("sliced.every", 0, '.every: is less than a second; such as "5s"'),
        ("sliced.keep", "4s", ".keep: 4 s is less than a slice of 5 s; keep at least one slice"),
        ("sliced.keep", "300d", ".keep: 5,184,000 slices are more than 100,000; keep less, or "),
        ("sliced.count", "ts", ".count: 'ts' is a column that every table has; choose another "),
        ("sliced.count", "revenue", ".count: there are two columns 'revenue'; choose another name"),
        ("sliced.count", "channel", ".count: there are two columns 'channel'; choose another name"),
        ("sliced.count", "bucket", ".count: there are two columns 'bucket'; choose another name"),
        ("sliced.count", "openingTs", ".count: there are two columns 'openingTs'; choose another "),
        ("sliced.sum", {"a b": "net"}, ".sum.'a b': 'a b' is no name; a name has letters, digits"),
        ("sliced.sum", {"net": 5}, ".sum.net: expected an expression, got 5"),
        ("sliced.sum", 5, ".sum: expected a table, got 5"),
    ],
)
def test_a_view_that_cannot_be_used(place: str, value: object, line: str) -> None:
    document = changed(ORDERS, (f"views.{place}", value))
    assert said(document)[0].startswith(f"f.toml: views.{place.split('.')[0]}{line}")


def test_buckets_count_or_sum_something() -> None:
    document = changed(
        ORDERS,
        ("screens", GONE),
        ("views.sliced", {"buckets": "orders", "by": "channel", "every": 5, "keep": 10}),
    )
    assert said(document) == [
        "f.toml: views.sliced: nothing is counted or summed; add count, sum, min, max, first or "
        "last"
    ]


@pytest.mark.parametrize("name", ["rejects", "flows", "catalogue", "in", "tg_x", "a b", "orders;"])
def test_a_table_has_a_plain_name_of_its_own(name: str) -> None:
    for kind, held in (
        ("views", {"latest": "orders"}),
        ("screens", {"top": "orders_live", "by": "amount"}),
    ):
        (line,) = said(changed(ORDERS, (f"{kind}.{name}", held)))
        assert line.startswith(f"f.toml: {kind}.")
        assert f"{name!r} " in line


def test_a_bucket_view_is_called_neither_as_a_source_nor_as_the_flow() -> None:
    for name in ("orders", "shop"):
        document = changed(ORDERS, ("screens", GONE), ("views.sliced", GONE))
        document["views"][name] = ORDERS["views"]["sliced"]
        assert said(document) == [
            f"f.toml: views.{name}: {name!r} is the name of a source or of the flow; call a bucket "
            "view something else"
        ]


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        (
            [("views.both.join", ["users"])],
            "views.both.join: expected two names in a list, such as ['one', 'other']",
        ),
        ([("views.both.join", 5)], "views.both.join: expected a list of names, got 5"),
        ([("views.both.how", "outer")], "views.both.how: 'outer' is none of left, inner"),
        (
            [("views.both.join", ["users", "acounts"])],
            "views.both.join: there is no source 'acounts'; did you mean 'accounts'?",
        ),
        (
            [("views.both", GONE), ("sources.accounts.key", ["kind"])],
            "views.then.as_of: the key of 'accounts' has no 'userId', the key of its parent; add "
            "it to the child's key, or use a left_join screen",
        ),
        (
            [("views.both", GONE), ("sources.accounts.fields.userId", "long")],
            "views.then.as_of: 'userId' is of type string in 'users' and long in 'accounts'; make "
            "them alike",
        ),
        (
            [("sources.accounts.fields.name", "string")],
            "sources.accounts.fields.name: sources.users.fields.name has this name too, and the "
            'two sources are joined; call one of them something else, with from = "name"',
        ),
        ([("views.then.depth", 0)], "views.then.depth: 0 is not in 1 to 1000"),
        (
            [("views.then.parent_time", "ts")],
            "views.then.parent_time: 'ts' is a column that every ",
        ),
        (
            [("views.then.parent_time", "name")],
            "views.then.parent_time: 'name' is a column already; choose another name",
        ),
        (
            [("views.then.parent_time", "Name")],
            "views.then.parent_time: 'Name' is a column already; choose another name",
        ),
        (
            [("views.more", {"join": ["users", "accounts"], "how": "inner"})],
            "views.more.how: 'inner', but 'both' is 'left'; all joins of a flow are alike",
        ),
        (
            [
                (
                    "sources.desks",
                    {
                        "topic": "desks",
                        "key": ["kind"],
                        "fields": {"kind": "string", "desk": "string"},
                    },
                ),
                ("views.more", {"join": ["desks", "accounts"]}),
            ],
            "views.more.join: 'accounts' is joined to 'users' already; use a left_join screen for "
            "one of the two",
        ),
        (
            [
                (
                    "sources.orders",
                    {
                        "topic": "orders",
                        "key": ["userId", "kind", "order"],
                        "fields": {"userId": "string", "kind": "string", "order": "string"},
                    },
                ),
                ("views.more", {"as_of": ["accounts", "orders"]}),
            ],
            "views.more.as_of: 'accounts' is a child of 'users' itself; use a left_join screen for "
            "one of the two",
        ),
    ],
)
def test_a_join_that_cannot_be_made(changes: list[tuple[str, object]], line: str) -> None:
    assert said(changed(FAMILY, *changes))[0].startswith(f"f.toml: {line}")


def test_there_are_not_too_many_views() -> None:
    views = {f"v{n}": {"latest": "users"} for n in range(61)}
    document = changed(FAMILY, ("views", {**FAMILY["views"], **views}))
    assert said(document) == ["f.toml: views: 63 are more than 60; make two flows"]


@pytest.mark.parametrize("name", ["Channel", "BUCKET", "Revenue", "openingts"])
def test_columns_of_buckets_differ_by_more_than_upper_case(name: str) -> None:
    assert f"f.toml: views.sliced.count: there are two columns {name!r}; choose another name" in (
        said(changed(ORDERS, ("views.sliced.count", name)))
    )

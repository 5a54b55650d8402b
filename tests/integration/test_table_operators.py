"""What Deephaven makes of views, with a real one in this process and small made-up tables."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest

from tidegrid.contract.declaration import DeclarationError, parse
from tidegrid.contract.declaration.types import Flow
from tidegrid.contract.layout import layout
from tidegrid.machine.java import java_home
from tidegrid.machine.ports import free_port

T = TypeVar("T")
Row = dict[str, Any]

#: Two sources, one the parent of the other, with every kind of view that screens are made of.
DOCUMENT: dict[str, Any] = {
    "sources": {
        "people": {
            "topic": "people",
            "key": ["person"],
            "kafka_key": "person",
            "fields": {"person": "string", "city": "string"},
        },
        "sales": {
            "topic": "sales",
            "key": ["person", "item"],
            "delete": "amount < 0",
            "fields": {
                "person": "string",
                "item": "string",
                "shop": "string",
                "amount": "double",
                "pieces": "long",
            },
        },
    },
    "views": {
        "people_live": {"latest": "people"},
        "sales_live": {"latest": "sales"},
        "both": {"join": ["people", "sales"]},
        "sale_events": {"events": "sales", "keep": 4},
        "slices": {
            "buckets": "sales",
            "by": ["item", "shop"],
            "every": "5s",
            "keep": "10m",
            "count": "sold",
            "sum": {"revenue": "amount"},
            "min": {"lowest": "amount"},
            "max": {"highest": "amount"},
            "first": {"opened": "amount"},
            "last": {"closed": "amount"},
        },
    },
}
_TIES = {"openedTie": 0, "closedTie": 0}


@pytest.fixture(scope="module", autouse=True)
def deephaven() -> None:
    """Start a Deephaven in this process: there can be one, and it ends with it."""
    os.environ["JAVA_HOME"] = java_home()
    from deephaven_server import Server

    quick = ["-XX:TieredStopAtLevel=1", "-Xmx1g"]
    cycle = "-DPeriodicUpdateGraph.targetCycleDurationMillis=20"
    key = "-Dauthentication.psk=a key for the tests"
    Server(host="127.0.0.1", port=free_port(), jvm_args=[*quick, cycle, key]).start()


def eventually(what: str, probe: Callable[[], T], wanted: T, seconds: float = 15) -> None:
    """Wait until a probe answers what is wanted; fail with the last answer."""
    deadline = time.monotonic() + seconds
    while (seen := probe()) != wanted and time.monotonic() < deadline:
        time.sleep(0.05)
    assert seen == wanted, what


class World:
    """A flow with screens, and views whose rows a test writes."""

    def __init__(self, screens: Mapping[str, Any], **more: Any) -> None:
        from tidegrid.tables.display import Displays

        self.displays = Displays()
        self.builds = itertools.count(1)
        self.flow = self.parsed(screens, **more)
        self.display = self.make(self.flow)
        self.inputs: dict[str, Any] = {}

    @staticmethod
    def parsed(screens: Mapping[str, Any], **more: Any) -> Flow:
        """Return the flow with these screens."""
        return parse({**DOCUMENT, "screens": dict(screens), **more}, "shop")

    def make(self, flow: Flow) -> Any:
        """Make what viewers see of a flow."""
        return self.displays.make(flow, layout(flow, {"people": {}, "sales": {}}))

    def show(self, **views: list[Row]) -> None:
        """Show another build, with these rows of some views."""
        build = next(self.builds)
        built = self.built(build, **views)
        tables = {self.display.views[name][0]: table for name, table in built.items()}
        self.displays.stable.register(build, tables)
        self.displays.stable.flip(build, tables)

    def built(self, build: int, **views: list[Row]) -> dict[str, Any]:
        """Return the tables of a build, with these rows of some views."""
        from deephaven import input_table

        from tidegrid.tables import ingest

        tables = {}
        for view in self.display.layout.views:
            changelog = self.display.layout.changelog(view.changelog)
            given = [self.filled(view.name, row) for row in views.get(view.name, [])]
            rows = input_table(init_table=as_table(changelog.columns, given))
            self.inputs[view.name] = changelog.columns, rows
            tables[view.name] = ingest.shape(rows, view, self.display.layout, "shop", build)
        return tables

    def add(self, view: str, *rows: Row) -> None:
        """Add rows to a view that is shown."""
        columns, table = self.inputs[view]
        table.add(as_table(columns, [self.filled(view, row) for row in rows]))

    def filled(self, view: str, row: Row) -> Row:
        """Return a row with the times that slices have of their first and last records."""
        if view != "slices":
            return row
        at = row["bucket"] * 1_000_000
        return {"openedTs": at, "closedTs": at, **_TIES, **row}

    def rows(self, name: str, *columns: str) -> list[tuple[Any, ...]]:
        """Return columns of the rows of a table, in their order."""
        return read(self.display.tables[name], *columns)


class Names(dict[str, Any]):
    """Where tables get their names, as Deephaven's application state has them."""

    def __init__(self) -> None:
        super().__init__()
        self.j_app_state = SimpleNamespace(removeField=self.pop)
        self.heard: Callable[[str, Any], None] | None = None

    def __setitem__(self, name: str, table: object) -> None:
        """Give a table a name."""
        if self.heard is not None:
            self.heard(name, table)
        super().__setitem__(name, table)


def is_alive(table: Any) -> bool:
    """Whether a table can still be given to a viewer."""
    if not table.j_table.tryRetainReference():
        return False
    table.j_table.dropReference()
    return True


def as_table(columns: Mapping[str, str], rows: list[Row]) -> Any:
    from deephaven import new_table
    from deephaven.column import bool_col, double_col, int_col, long_col, string_col

    makers = {"string": string_col, "int": int_col, "double": double_col, "boolean": bool_col}
    return new_table(
        [
            makers.get(kind, long_col)(name, [row.get(name) for row in rows])
            for name, kind in columns.items()
        ]
    )


def read(table: Any, *columns: str) -> list[tuple[Any, ...]]:
    from deephaven.pandas import to_pandas

    frame = to_pandas(table.snapshot(), cols=list(columns))
    return [
        tuple(None if value != value or value is None else _plain(value) for value in row)
        for row in frame.astype(object).where(frame.notna(), None).itertuples(index=False)
    ]


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def slice_of(item: str, shop: str | None, ago: float, amounts: list[float]) -> Row:
    """Return a slice of time with the sales of some amounts in it."""
    return {
        "item": item,
        "shop": shop,
        "bucket": int((time.time() - ago) * 1000),
        "sold": len(amounts),
        "revenue": sum(amounts),
        "lowest": min(amounts),
        "highest": max(amounts),
        "opened": amounts[0],
        "closed": amounts[-1],
    }


def sale(person: str, item: str, amount: float | None, **more: Any) -> Row:
    return {"person": person, "item": item, "amount": amount, **more}


def test_a_window_adds_slices_up_and_falls_as_time_passes() -> None:
    world = World(
        {
            "minute": {
                "window": "slices",
                "over": "1m",
                "columns": {"average": "revenue / sold", "change": "closed - opened"},
            }
        }
    )
    # The first time takes longer, since formulas are compiled.
    world.show(slices=[slice_of("pen", "east", 2, [1.0])])
    old, new = slice_of("pen", "east", 54, [1.0, 5.0]), slice_of("pen", "east", 2, [2.0, 3.0])
    world.show(slices=[old, new, slice_of("pen", "east", 300, [9.0])])
    columns = ["item", "shop", "sold", "revenue", "lowest", "highest", "opened", "closed"]
    both = [("pen", "east", 4, 11.0, 1.0, 5.0, 1.0, 3.0, 2.75, 2.0)]
    assert world.rows("minute", *columns, "average", "change") == both
    one = [("pen", "east", 2, 5.0, 2.0, 3.0, 2.0, 3.0, 2.5, 1.0)]
    eventually("falls", lambda: world.rows("minute", *columns, "average", "change"), one)
    # The bucket view itself keeps what is in its own window.
    assert sorted(world.rows("slices", "revenue")) == [(5.0,), (6.0,), (9.0,)]


def test_what_is_first_and_last_in_a_window_is_a_value_that_is_there() -> None:
    world = World(
        {
            "each": {"window": "slices", "over": "5m"},
            "by_item": {"window": "slices", "over": "5m", "by": ["item"]},
        }
    )
    none = dict.fromkeys(("opened", "closed", "openedTs", "closedTs", "openedTie", "closedTie"))
    world.show(
        slices=[
            {**slice_of("pen", "east", 40, [1.0]), **none},
            slice_of("pen", "east", 30, [2.0, 3.0]),
            {**slice_of("pen", "east", 20, [4.0]), **none},
            {**slice_of("pen", "west", 50, [5.0]), **none},
        ]
    )
    east, west = ("east", 2.0, 3.0), ("west", None, None)
    assert sorted(world.rows("each", "shop", "opened", "closed")) == [east, west]
    assert world.rows("by_item", "opened", "closed") == [(2.0, 3.0)]


def test_a_window_over_fewer_groups_and_a_rollup_add_groups_up() -> None:
    world = World(
        {
            "by_item": {"window": "slices", "over": "5m", "by": ["item"]},
            "by_shop": {"window": "slices", "over": "5m", "rollup": "shop", "where": "sold > 0"},
        }
    )
    world.show(
        slices=[
            slice_of("pen", "east", 20, [1.0]),
            slice_of("pen", "west", 30, [2.0]),
            slice_of("pen", None, 10, [4.0]),
            slice_of("pen", "All", 15, [8.0]),
        ]
    )
    assert world.rows("by_item", "item", "sold", "revenue", "opened", "closed") == [
        ("pen", 4, 15.0, 2.0, 4.0)
    ]
    # The shop that is not known, and the one that is really called All, are in the total only.
    assert sorted(world.rows("by_shop", "shop", "sold", "revenue")) == [
        ("All", 4, 15.0),
        ("east", 1, 1.0),
        ("west", 1, 2.0),
    ]


def test_top_has_the_highest_and_the_lowest_and_no_row_twice() -> None:
    world = World(
        {
            "dearest": {"top": "sales_live", "by": "amount", "rows": 2, "show": ["item"]},
            "ends": {"top": "sales_live", "by": "amount", "rows": 2, "both": True, "per": "person"},
            "moves": {
                "top": "sales_live",
                "by": "gain",
                "rows": 2,
                "both": True,
                "by_sign": True,
                "side": "way",
                "columns": {"gain": "amount - 3"},
            },
        }
    )
    amounts = {"a": 1.0, "b": 5.0, "c": 3.0, "d": None, "e": 2.0}
    world.show(sales_live=[sale("ann", item, amount) for item, amount in amounts.items()])
    assert world.rows("dearest", "item") == [("b",), ("c",)]
    assert world.rows("ends", "item") == [("b",), ("c",), ("a",), ("e",)]
    assert world.rows("moves", "item", "way") == [("b", "up"), ("a", "down"), ("e", "down")]
    world.show(sales_live=[sale("ann", "a", 1.0), sale("ann", "b", 1.0), sale("bob", "a", 7.0)])
    assert sorted(world.rows("ends", "person", "item")) == [
        ("ann", "a"),
        ("ann", "b"),
        ("bob", "a"),
    ]


def test_totals_are_exact_and_a_sum_of_nothing_is_empty() -> None:
    world = World(
        {
            "by_shop": {
                "totals": "sales_live",
                "rollup": "shop",
                "sum": {"amount": "amount", "pieces": "pieces", "dear": "amount > 1 ? 1L : 0L"},
                "count": "sales",
                "columns": {"outcome": "amount >= 0 ? `Gain` : `Loss`"},
            },
            "of_ann": {
                "totals": "sales_live",
                "by": ["person"],
                "count": "sales",
                "where": "person == `ann`",
                "having": "sales > 1",
            },
        }
    )
    assert world.rows("by_shop", "shop", "amount", "sales") == [("All", None, 0)]
    rows = [
        sale("ann", "a", 0.1, shop="east", pieces=2),
        sale("ann", "b", 0.7, shop="east", pieces=3),
        sale("bob", "c", 1e18),
        sale("bob", "d", 4.0, shop="All"),
        sale("cyd", "e", None, shop="west"),
    ]
    world.show(sales_live=rows)
    columns = ["shop", "amount", "pieces", "dear", "sales", "outcome"]
    found = world.rows("by_shop", *columns)
    assert found[0] == ("All", 1e18, 5, 2, 5, "Gain")
    assert sorted(found[1:]) == [("east", 0.8, 5, 0, 2, "Gain"), ("west", None, None, 0, 1, "Loss")]
    assert world.rows("of_ann", "person", "sales") == [("ann", 2)]
    world.show(sales_live=rows[:2])
    assert world.rows("by_shop", "shop", "amount")[0] == ("All", 0.8)


def test_totals_of_slices_come_in_the_order_of_time() -> None:
    screens = {"trend": {"totals": "slices", "by": ["bucket"], "rollup": "shop", "sum": ["sold"]}}
    world = World(screens)
    slices = [slice_of("pen", "east", ago, [1.0] * n) for n, ago in ((1, 20), (2, 60), (3, 40))]
    world.show(slices=slices)
    assert world.rows("trend", "shop", "sold") == [
        (shop, sold) for sold in (2, 3, 1) for shop in ("All", "east")
    ]


def test_tables_are_joined_by_what_is_unique_in_the_second() -> None:
    world = World(
        {
            "named": {
                "left_join": ["sales_live", "people_live"],
                "on": "person",
                "columns": {"city": "isNull(city) ? `?` : city.toUpperCase()"},
            },
            "spent": {"totals": "sales_live", "by": ["person"], "sum": ["amount"], "hidden": True},
            "known": {"totals": "people_live", "by": ["person"], "count": "n", "hidden": True},
            "either": {"full_join": ["spent", "known"], "on": ["person"], "clock": "now"},
        }
    )
    world.show(
        sales_live=[sale("ann", "a", 1.0), sale("ann", "b", 2.0), sale("bob", "a", 3.0)],
        people_live=[{"person": "ann", "city": "Rome"}, {"person": "cyd", "city": "Oslo"}],
    )
    assert sorted(world.rows("named", "person", "item", "city")) == [
        ("ann", "a", "ROME"),
        ("ann", "b", "ROME"),
        ("bob", "a", "?"),
    ]
    assert world.rows("either", "person", "amount", "n", "generation") == [
        ("ann", 3.0, 1, 1),
        ("bob", 3.0, None, 1),
        ("cyd", None, 1, 1),
    ]
    assert all(now is not None for (now,) in world.rows("either", "now"))
    assert set(world.display.tables) >= {"named", "either"}
    assert not {"spent", "known"} & set(world.display.tables)


def test_screens_follow_their_views_and_flip_with_them() -> None:
    world = World({"spent": {"totals": "sales_live", "by": ["person"], "sum": ["amount"]}})
    world.show(sales_live=[sale("ann", "a", 1.0)])
    world.add("sales_live", sale("ann", "b", 2.0))
    eventually("the new sale", lambda: world.rows("spent", "amount"), [(3.0,)])
    handle = world.display.tables["spent"]
    world.show(sales_live=[sale("bob", "a", 5.0)])
    # At once, although nothing else is seen more often than twice a second.
    columns = ["person", "amount", "generation"]
    assert read(handle, *columns) == [("bob", 5.0, 2)]
    assert read(world.display.tables["sales_live"], *columns) == [("bob", 5.0, 2)]


def test_what_is_declared_as_before_keeps_its_handle() -> None:
    spent = {"totals": "sales_live", "by": ["person"], "sum": ["amount"]}
    world = World({"spent": spent, "dearest": {"top": "sales_live", "by": "amount", "rows": 1}})
    world.show(sales_live=[sale("ann", "a", 1.0, pieces=2)])
    before = world.display.tables
    sources = {**DOCUMENT["sources"]}
    people = sources["people"]
    sources["people"] = {**people, "fields": {**people["fields"], "age": "long"}}
    pieces = {"totals": "sales_live", "by": ["person"], "sum": ["pieces"]}
    after = world.make(World.parsed({"spent": spent, "pieces": pieces}, sources=sources))
    for same in ("spent", "sales_live", "slices", "sale_events", "rejects"):
        assert after.tables[same] is before[same], same
    for other in ("people_live", "both"):
        assert after.tables[other] is not before[other], other
    assert read(after.tables["pieces"], "person", "pieces") == [("ann", 2)]
    # What only the first has is let go; the rest goes on.
    world.displays.keep([after])
    alive = {n for n, t in before.items() if t.j_table.tryRetainReference()}
    assert set(before) - alive == {"dearest", "people_live", "both"}
    assert read(after.tables["spent"], "amount") == [(1.0,)]


def test_a_screen_that_dies_of_a_row_leaves_the_others_alone() -> None:
    shouted = {"totals": "people_live", "by": ["city"], "sum": {"letters": "city.length()"}}
    of_it = {"top": "loud", "by": "letters"}
    quiet = {"totals": "people_live", "by": ["city"], "count": "people"}
    world = World({"loud": shouted, "louder": of_it, "quiet": quiet})
    world.show(people_live=[{"person": "ann", "city": "Rome"}])
    assert world.rows("louder", "city", "letters") == [("Rome", 4)]
    before = world.display.tables
    world.show(people_live=[{"person": "bob"}])
    eventually("it is dead", lambda: before["loud"].j_table.isFailed(), True)
    world.displays.drop_failed()
    views = layout(world.flow, {"people": {}, "sales": {}})
    after = world.displays.make(world.flow, views, lenient=True)
    assert set(after.screens.missing) == {"loud", "louder"}
    assert after.tables["quiet"] is before["quiet"]
    assert read(before["quiet"], "people") == [(1,)]
    # Its name is still the dead one's, so that lives until the display is kept that took over.
    assert is_alive(before["loud"])
    world.displays.keep([after])
    assert not is_alive(before["loud"])


@pytest.mark.parametrize(
    "screen",
    [{"top": "sales_live", "by": "amount"}, {"left_join": ["sales_live", "people_live"]}],
    ids=["top", "join"],
)
def test_a_column_that_cannot_be_worked_out_ends_its_table(screen: Row) -> None:
    """A table that lives, and that no viewer can read, would be noticed by nobody."""
    on = {"on": "person"} if "left_join" in screen else {}
    world = World({"loud": {**screen, **on, "columns": {"letters": "shop.length()"}}})
    world.show(sales_live=[sale("ann", "a", 1.0, shop="here")])
    eventually("its letters", lambda: world.rows("loud", "letters"), [(4,)])
    world.show(sales_live=[sale("ann", "a", 1.0)])
    loud = world.display.tables["loud"]
    eventually("it is dead", lambda: loud.j_table.isFailed(), True)


def test_a_screen_is_another_table_when_only_the_key_of_its_view_is_another() -> None:
    both = {"top": "sales_live", "by": "amount", "rows": 1, "both": True}
    world = World({"extremes": both})
    sales = {**DOCUMENT["sources"]["sales"], "key": ["person", "item", "shop"]}
    sources = {**DOCUMENT["sources"], "sales": sales}
    after = world.make(World.parsed({"extremes": both}, sources=sources)).tables
    assert after["sales_live"] is world.display.tables["sales_live"]
    assert after["extremes"] is not world.display.tables["extremes"]


def test_a_rebuilt_table_has_its_rows_before_its_name() -> None:
    from tidegrid.contract.receipts import Ledger
    from tidegrid.tables.catalogue import Catalogue
    from tidegrid.tables.exports import Exports
    from tidegrid.tables.stage import Stage

    world, names = World({}), Names()
    stage = Stage("shop", Exports(names), Catalogue(Ledger()))
    views = world.built(1, people_live=[{"person": "ann"}])
    built = SimpleNamespace(
        number=1,
        birth=SimpleNamespace(generation=1),
        ingest=SimpleNamespace(views=views),
        release=lambda: None,
    )
    stage.add(built, stage.prepare(world.flow, world.display.layout, lenient=False))  # type: ignore[arg-type]
    stage.flip(1)
    before = names["people_live"]
    seen = []
    names.heard = lambda name, table: seen.append((name, table.size, is_alive(before)))
    # As if it had died: the stable views are made again, of the same tables.
    stage.rebuild(["people_live"])
    assert ("people_live", 1, True) in seen
    assert not is_alive(before)
    assert stage.active == 1
    stage.close()
    assert set(names) <= {"rejects"}


def test_what_a_view_shows_is_forgotten_with_the_view() -> None:
    world = World({})
    world.show(people_live=[{"person": "ann"}])
    before, _ = world.display.views["people_live"]
    people = DOCUMENT["sources"]["people"]
    more = {**people, "fields": {**people["fields"], "age": "long"}}
    after = world.make(World.parsed({}, sources={**DOCUMENT["sources"], "people": more}))
    same, _ = after.views["sales_live"]
    world.displays.keep([after])
    stable = world.displays.stable
    eventually("forgotten", lambda: stable.build_shown(before).size, 0)
    assert stable.build_shown(same).size == 1


def test_rejects_go_on_without_the_part_they_died_of() -> None:
    from deephaven import input_table

    from tidegrid.tables.exports import Exports

    names = Names()
    exports = Exports(names)
    columns = {"reason": "string"}
    inputs = [input_table(init_table=as_table(columns, [{"reason": t}])) for t in ("a", "bb")]
    for flow, rows in zip(("one", "two"), inputs, strict=True):
        exports.put(flow, {"rejects": rows.update("letters=reason.length()")})
    eventually("both", lambda: sorted(read(names["rejects"], "letters")), [(1,), (2,)])
    inputs[1].add(as_table(columns, [{}]))
    eventually("it is dead", lambda: names["rejects"].j_table.isFailed(), True)
    # The flow that it died of goes, and puts nothing in its place.
    exports.put("two", {})
    exports.rebuild_rejects()
    eventually("the other", lambda: read(names["rejects"], "letters"), [(1,)])


def test_a_flow_of_which_nothing_runs_yields_its_names() -> None:
    from deephaven import empty_table

    from tidegrid.tables.exports import Exports

    names = Names()
    exports = Exports(names)
    declared, live = empty_table(0), empty_table(1)
    exports.put("declared", {"x": declared, "y": declared}, yields=True)
    assert not exports.taken("runs", ["x"])
    exports.put("runs", {"x": live})
    exports.put("declared", {"x": declared, "y": declared}, yields=True)
    assert names == {"x": live, "y": declared}
    assert "of runs" in exports.taken("declared", ["x"])
    exports.put("declared", {})
    assert names == {"x": live}


def test_the_newest_row_of_a_key_stays_whatever_comes_late() -> None:
    flow = World.parsed({})
    views = layout(flow, {"people": {}, "sales": {}})
    view = views.view("sales_live")

    def row(amount: float, at: int, **more: Any) -> Row:
        place = {"topic": "sales", "partition": 0, "offset": at, "ts": at}
        stamps = {"tg_sales_ts": at, "tg_sales_id": at, "tg_shows": view.letter}
        return {**sale("ann", "a", amount), **place, **stamps, **more}

    assert kept(view, views, row(2.0, 2), row(1.0, 1)) == [("ann", "a", 2.0)]
    # A deleted one comes back only with what is newer; a row of no view is none.
    gone = row(2.0, 3, tg_sales_gone=True)
    assert kept(view, views, gone, row(1.0, 1), row(4.0, 2)) == []
    assert kept(view, views, gone, row(5.0, 4), row(6.0, 9, tg_shows=None)) == [("ann", "a", 5.0)]


def test_an_event_list_keeps_the_last_of_each_partition() -> None:
    views = layout(World.parsed({}), {"people": {}, "sales": {}})
    view = views.view("sale_events")
    rows = [
        {"tg_shows": view.letter, "topic": "sales", "partition": 0, "offset": n, "amount": float(n)}
        for n in (5, 1, 2, 3, 4, 6)
    ]
    assert sorted(kept(view, views, *rows, columns=("amount",))) == [(3.0,), (4.0,), (5.0,), (6.0,)]


def test_a_parent_is_alone_while_none_of_its_children_is_shown() -> None:
    views = layout(World.parsed({}), {"people": {}, "sales": {}})
    view = views.view("both")
    parent = {"person": "ann", "city": "Rome", "tg_people_ts": 1, "tg_people_id": 1}
    place = {"topic": "t", "partition": 0, "offset": 1, "ts": 1, "tg_shows": view.letter}
    alone = {**parent, **place}
    child = {**alone, "item": "a", "amount": 1.0, "tg_sales_ts": 1, "tg_sales_id": 1}
    gone = {**child, "tg_sales_ts": 2, "tg_sales_gone": True}
    columns = ("person", "item", "city")
    assert kept(view, views, alone, columns=columns) == [("ann", None, "Rome")]
    assert kept(view, views, alone, child, columns=columns) == [("ann", "a", "Rome")]
    assert kept(view, views, alone, child, gone, columns=columns) == [("ann", None, "Rome")]
    # Without its parent a child is not shown.
    orphan = {**child, "tg_people_ts": None, "tg_people_id": None}
    assert kept(view, views, orphan, columns=columns) == []


def kept(view: Any, views: Any, *rows: Row, columns: tuple[str, ...] = ()) -> list[tuple[Any, ...]]:
    """Return what is left of rows that came one after the other."""
    from deephaven import input_table

    from tidegrid.tables import ingest

    changelog = views.changelog(view.changelog)
    stream = input_table(init_table=ingest.no_rows(changelog))
    table = ingest.shape(ingest.newest(stream, view), view, views, "shop", 1)
    for row in rows:
        stream.add(as_table(changelog.columns, [row]))
    return read(table, *(columns or ("person", "item", "amount")))


HOSTILE = [
    "java.lang.Runtime.getRuntime().exec(`touch /tmp/x`)",
    "new java.io.File(`/etc/passwd`).length()",
    "System.exit(0)",
    "Runtime.getRuntime()",
    "item.getClass()",
    "item.getClass().forName(`java.lang.System`)",
    "`x`.getBytes().length",
    "item.class",
    "String.valueOf(1)",
    "(java.util.function.Supplier)(() -> 1)",
    "x -> x",
    "Math::abs",
    "new int[]{1}",
    "amount_[0]",
    "amount[0]",
    "(String)item",
    "item instanceof String",
    "amount = amount + 1, 2",
    "amount++",
    "`\\u0022 + java.lang.System.getenv() + \\u0022`",
    "`a\\` + java.lang.System.getenv() + \\`b`",
    "'a' + item",
    "amount /* comment */ + 1",
    "amount // comment",
    "amount; System.exit(0)",
    "exec(`ls`)",
    "__import__(`os`)",
    "(amount",
    " ",
    "(" * 2000 + "amount" + ")" * 2000,
    "-" * 900 + "amount",
]


@pytest.mark.parametrize("formula", HOSTILE)
@pytest.mark.parametrize("word", ["columns", "sum", "where", "having"])
def test_a_formula_that_is_not_allowed_is_refused_with_its_place(formula: str, word: str) -> None:
    from dataclasses import replace

    from tidegrid.tables import formulas

    plain = World.parsed({"spent": {"totals": "sales_live", "by": ["person"], "count": "n"}})
    given: Any = formula if word in ("where", "having") else {"x": formula}
    screen = replace(plain.screens["spent"], **{word: given})
    ((problem,),) = formulas.refused([screen], "shop.toml").values()
    place = f"screens.spent.{word}" + (".x" if isinstance(given, dict) else "")
    assert (problem.where, problem.place) == ("shop.toml", place)
    assert "\n" not in problem.what


@pytest.mark.parametrize(
    "formula",
    [
        "amount > 0 && !isNull(item) ? (long)round(abs(amount)) : NULL_LONG",
        'isNull(item) ? `it\'s "quoted"; /* no comment */` : item.substring(0, 1) + `//`',
        "item == `a` || item.startsWith(`b`) || pieces % 2 == 1",
        "max(amount, 1.5) * pow(2, 3) - min(1, 2)",
    ],
)
def test_an_honest_formula_works(formula: str) -> None:
    world = World({"top": {"top": "sales_live", "by": "amount", "columns": {"x": formula}}})
    world.show(sales_live=[sale("ann", "a", 2.0, pieces=1)])
    ((value,),) = world.rows("top", "x")
    assert value is not None


@pytest.mark.parametrize(
    ("columns", "place", "what"),
    [
        ({"x": "amout + 1"}, "screens.t.columns.x", "no column 'amout'; did you mean 'amount'"),
        ({"x": "amount", "y": "x + z"}, "screens.t.columns.y", "no column 'z'"),
        ({"x": "item.length(1, 2)"}, "screens.t.columns", "Deephaven refuses it"),
        ({"x": "item - 1"}, "screens.t.columns", "Deephaven refuses it"),
    ],
)
def test_a_formula_that_does_not_fit_its_table_is_refused_before_anybody_sees_it(
    columns: dict[str, str], place: str, what: str
) -> None:
    with pytest.raises(DeclarationError) as caught:
        World({"t": {"top": "sales_live", "by": "amount", "columns": columns}})
    assert caught.value.problems[0].place == place
    assert what in str(caught.value)


def test_all_that_is_wrong_with_screens_is_said_at_once_and_nothing_twice() -> None:
    columns = {"a": "itm", "b": "amount + piecs"}
    totals = {"totals": "sales_live", "by": ["item"], "sum": ["amount"], "where": "itm > 1"}
    with pytest.raises(DeclarationError) as caught:
        World(
            {
                "t": totals,
                "first": {"top": "t", "by": "amount", "rows": 3},
                "second": {"top": "sales_live", "by": "amount", "rows": 3, "columns": columns},
            }
        )
    assert [p.place for p in caught.value.problems] == [
        "screens.t.where",
        "screens.second.columns.a",
        "screens.second.columns.b",
    ]


def test_a_screen_that_is_made_while_rows_are_shown_forgets_them_with_their_build() -> None:
    world = World({})
    world.show(sales_live=[{"person": "old", "item": "a", "amount": 1.0, "pieces": 1}])
    held = {"totals": "sales_live", "rollup": "shop", "sum": ["amount"], "count": "sales"}
    late = world.make(World.parsed({"held": held}))

    def shown() -> list[tuple[Any, ...]]:
        return sorted(read(late.tables["held"], "shop", "sales", "amount"))

    eventually("the rows that are shown", shown, [("All", 1, 1.0)])
    world.display = late
    new = [{"person": p, "item": "b", "shop": "s", "amount": 2.0, "pieces": 1} for p in "abcde"]
    world.show(sales_live=new)
    eventually("the new rows alone", shown, [("All", 5, 10.0), ("s", 5, 10.0)])

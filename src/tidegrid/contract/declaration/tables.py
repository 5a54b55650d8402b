"""What is known of a flow's tables before any engine has seen it: their columns and keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from tidegrid.contract.declaration.names import EVERY_TABLE
from tidegrid.contract.declaration.types import (
    AsOf,
    Buckets,
    Events,
    Flow,
    Join,
    JoinTables,
    Latest,
    Screen,
    Source,
    Top,
    Totals,
    View,
    Window,
)

#: Columns by name, each with its type; it is empty where only an engine can tell.
Columns = dict[str, str]
#: What in `show` stands for all columns that are not named.
REST = "*"
_CAUSE: Columns = {"ts": "time", "topic": "string", "partition": "long", "offset": "long"}
_TEXTS = ("string", "scalar", "json")


@dataclass(frozen=True)
class Shape:
    """The columns of a table, and those that tell its rows apart; None if nothing does."""

    columns: Columns
    key: tuple[str, ...] | None


def value_columns(flow: Flow, source: Source) -> Columns:
    """Return what a record of a source has to show: fields, derived and looked-up columns."""
    found: Columns = {
        f.name: "string" if f.type in _TEXTS else f.type for f in source.fields.values()
    }
    found.update(dict.fromkeys(source.columns, ""))
    for lookup in lookups_of(flow, source.name):
        found.update(dict.fromkeys(flow.lookups[lookup].columns, "string"))
    return found


def lookups_of(flow: Flow, source: str) -> list[str]:
    """Return the lookups that views of a source use and that are there."""
    used = (v.lookup for v in flow.views.values() if isinstance(v, Latest) and v.source == source)
    return [name for name in dict.fromkeys(used) if name in flow.lookups]


def sources_of(view: View) -> tuple[str, ...]:
    """Return the sources of a view, of a join the parent first."""
    return (view.parent, view.child) if isinstance(view, Join | AsOf) else (view.source,)


def tables_of(screen: Screen) -> tuple[str, ...]:
    """Return the tables that a screen is made of."""
    return (screen.left, screen.right) if isinstance(screen, JoinTables) else (screen.of,)


def operator(table: View | Screen) -> str:
    """Return the word that a table is declared by."""
    if isinstance(table, JoinTables):
        return "full_join" if table.full else "left_join"
    return {
        Latest: "latest",
        Events: "events",
        Join: "join",
        AsOf: "as_of",
        Buckets: "buckets",
        Window: "window",
        Top: "top",
        Totals: "totals",
    }[type(table)]


def measures(view: Buckets) -> Iterator[tuple[str, str, str]]:
    """Yield the columns that a bucket view works out: the key that declares each, name and type."""
    if view.count:
        yield "count", view.count, "long"
    for key in ("sum", "min", "max"):
        yield from ((key, name, "double") for name in getattr(view, key))
    for key in ("first", "last"):
        for name in getattr(view, key):
            yield key, name, "double"
            # The time and the record that were first or last go along.
            yield key, f"{name}Ts", "time"
            yield key, f"{name}Tie", "long"


def view_shape(flow: Flow, view: View) -> Shape | None:
    """Return the shape of a view; nothing if one of its sources is not there."""
    if any(name not in flow.sources for name in sources_of(view)):
        return None
    if isinstance(view, Join | AsOf):
        parent, child = flow.sources[view.parent], flow.sources[view.child]
        columns = {**value_columns(flow, parent), **value_columns(flow, child)}
        if isinstance(view, Join):
            return _shape(columns, view.show, tuple(dict.fromkeys((*parent.key, *child.key))))
        if view.parent_time:
            columns[view.parent_time] = "time"
        return _shape(columns, view.show, None)
    source = flow.sources[view.source]
    columns = value_columns(flow, source)
    if isinstance(view, Latest):
        return _shape(columns, view.show, source.key)
    if isinstance(view, Events):
        return _shape(columns, view.show, None)
    found = {name: columns.get(name, "") for name in view.by}
    found |= {"bucket": "time", **{name: kind for _, name, kind in measures(view)}}
    return _shape(found, view.show, (*view.by, "bucket"))


def with_rest(flow: Flow, view: View) -> View:
    """Return a view with the names of all columns it shows, where `*` is those not named."""
    if not (REST in view.show or view.hide):
        return view
    there = view_shape(flow, replace(view, show=()))
    if there is None:
        return view
    show = view.show or (REST,)
    left = {*show, *view.hide, *EVERY_TABLE}
    rest = [name for name in there.columns if name not in left]
    every = (n for name in show for n in (rest if name == REST else (name,)))
    return replace(view, show=tuple(every))


def _shape(columns: Columns, show: tuple[str, ...], key: tuple[str, ...] | None) -> Shape:
    return _shown({**columns, **_CAUSE}, (*show, *_CAUSE) if show else (), key)


def screen_shape(flow: Flow, screen: Screen, known: Mapping[str, Shape]) -> Shape | None:
    """Return the shape of a screen; nothing if it is made of a table whose shape is not known."""
    found = _made(flow, screen, known)
    if found is None:
        return None
    # A formula in the place of a key may make rows alike.
    key = None if found.key is None or set(found.key) & set(screen.columns) else found.key
    return _shown({**found.columns, **dict.fromkeys(screen.columns, "")}, screen.show, key)


def _made(flow: Flow, screen: Screen, known: Mapping[str, Shape]) -> Shape | None:
    """Return what an operator makes, before formulas and the choice of columns."""
    of = [known[name] for name in tables_of(screen) if name in known]
    if len(of) < len(tables_of(screen)):
        return None
    table = of[0].columns
    if isinstance(screen, Window):
        buckets = flow.views.get(screen.of)
        if not isinstance(buckets, Buckets):
            return None
        groups = _groups(screen.by or buckets.by, screen.rollup)
        found = {name: table.get(name, "") for name in groups}
        # The times and records that go along with a first or last one stay behind.
        found |= {
            name: kind
            for key, name, kind in measures(buckets)
            if key == "count" or name in getattr(buckets, key)
        }
        return Shape(found, groups)
    if isinstance(screen, Top):
        return Shape({**table, **({screen.side: "string"} if screen.side else {})}, of[0].key)
    if isinstance(screen, Totals):
        groups = _groups(screen.by, screen.rollup)
        found = {name: table.get(name, "") for name in groups}
        found.update(dict.fromkeys(screen.sum, ""))
        if screen.count:
            found[screen.count] = "long"
        return Shape(found, groups)
    right = {n: t for n, t in of[1].columns.items() if n not in screen.on and n not in EVERY_TABLE}
    found = {**table, **right, **({screen.clock: "time"} if screen.clock else {})}
    if not screen.full:
        return Shape(found, of[0].key)
    # Rows of the first have their own key still; those of the second alone have it empty.
    unique = of[0].key is not None and set(of[0].key) <= set(screen.on)
    return Shape(found, screen.on if unique else None)


def _groups(by: tuple[str, ...], rollup: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*by, rollup) if rollup else by))


def _shown(columns: Columns, show: Iterable[str], key: tuple[str, ...] | None) -> Shape:
    """Return what is left of a table when only some columns are shown; a key may go with them."""
    every = {**columns, "generation": "long"}
    chosen = list(dict.fromkeys((*show, "generation"))) if show else list(every)
    left = {name: every[name] for name in chosen if name in every}
    return Shape(left, key if key is not None and set(key) <= set(left) else None)

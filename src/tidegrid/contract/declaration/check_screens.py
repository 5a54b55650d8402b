"""Whether the screens of a flow fit the views and screens that they are made of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter

from tidegrid.contract.declaration.names import EVERY_TABLE, column_problem, table_problem
from tidegrid.contract.declaration.problems import Problems, below, listed, nearest, quoted
from tidegrid.contract.declaration.tables import (
    Shape,
    operator,
    screen_shape,
    sources_of,
    tables_of,
    view_shape,
)
from tidegrid.contract.declaration.types import (
    Buckets,
    Flow,
    JoinTables,
    Screen,
    Top,
    Totals,
    Window,
)


def screens_in_order(flow: Flow) -> list[Screen]:
    """Return the screens of a flow, each behind those that it is made of."""
    made_of = {
        name: [table for table in tables_of(screen) if table in flow.screens]
        for name, screen in flow.screens.items()
    }
    return [flow.screens[name] for name in TopologicalSorter(made_of).static_order()]


def shapes(flow: Flow, types: Mapping[str, Mapping[str, str]] | None = None) -> dict[str, Shape]:
    """Return what is known of the tables of a flow whose screens go in no circle.

    `types` are those of the derived columns of each source, as far as they are known.
    """
    known: dict[str, Shape] = {}
    for name, view in flow.views.items():
        if shape := view_shape(flow, view):
            derived = {c: t for s in sources_of(view) for c, t in (types or {}).get(s, {}).items()}
            columns = {c: kind or derived.get(c, "") for c, kind in shape.columns.items()}
            known[name] = Shape(columns, shape.key)
    for screen in screens_in_order(flow):
        if shape := screen_shape(flow, screen, known):
            known[screen.name] = shape
    return known


def check_screens(flow: Flow, unread: Collection[str], problems: Problems) -> None:
    """Note what is wrong with the screens of a flow; tables that are `unread` are not missed."""
    there = [*flow.views, *flow.screens]
    for screen in flow.screens.values():
        place = below("screens", screen.name)
        said = table_problem(screen.name)
        if not problems.name(place, screen.name, said) and screen.name in flow.views:
            problems.add(place, f"there is a view {quoted(screen.name)}", "choose another name")
        for name in tables_of(screen):
            if name and name not in there and name not in unread:
                at, others = f"{place}.{operator(screen)}", [t for t in there if t != screen.name]
                problems.missing(at, "there is no view or screen", name, others)
        for name in screen.columns:
            problems.name(below(f"{place}.columns", name), name, column_problem(name))
    used = {name for screen in flow.screens.values() for name in tables_of(screen)}
    for screen in flow.screens.values():
        if screen.hidden and screen.name not in used and not unread:
            what = "is hidden, and nothing is made of it"
            problems.add(below("screens", screen.name), what, "take `hidden` or the screen away")
    try:
        known = shapes(flow)
    except CycleError as e:
        circle = " of ".join(below("", name) for name in e.args[1][::-1])
        first = flow.screens[e.args[1][0]]
        what = f"a screen cannot be made of itself: {circle}"
        place = f"{below('screens', first.name)}.{operator(first)}"
        problems.add(place, what, "make one of them of a view")
        return
    for screen in flow.screens.values():
        _Screen(flow, screen, known, problems).check()


@dataclass(frozen=True)
class _Screen:
    """One screen, with what is known of the tables it is made of."""

    flow: Flow
    screen: Screen
    known: Mapping[str, Shape]
    problems: Problems

    @property
    def place(self) -> str:
        return below("screens", self.screen.name)

    def check(self) -> None:
        """Note what is wrong with the keys of the operator, and with what is shown."""
        screen = self.screen
        if isinstance(screen, Window):
            self._window(screen)
        elif isinstance(screen, Top):
            self._top(screen)
        elif isinstance(screen, Totals):
            self._totals(screen)
        else:
            self._join(screen)
        if made := screen_shape(self.flow, replace(screen, show=()), self.known):
            self._columns("show", screen.show, made.columns)

    def _wrong(self, key: str, what: str, do: str = "") -> None:
        self.problems.add(f"{self.place}.{key}", what, do)

    def _named(self, key: str, name: str) -> None:
        if name:
            self.problems.name(f"{self.place}.{key}", name, column_problem(name))

    def _columns(self, key: str, named: Iterable[str], there: Iterable[str]) -> None:
        self.problems.columns(f"{self.place}.{key}", named, there)

    def _rollup(self, name: str, columns: Mapping[str, str]) -> None:
        if columns.get(name, "") not in ("", "string"):
            what = f"{quoted(name)} is of type {columns[name]}, and cannot be 'All'"
            self._wrong("rollup", what, "it takes a column with texts")

    def _window(self, screen: Window) -> None:
        buckets = self.flow.views.get(screen.of)
        if not isinstance(buckets, Buckets):
            if screen.of in self.flow.views or screen.of in self.flow.screens:
                there = [v.name for v in self.flow.views.values() if isinstance(v, Buckets)]
                what = f"{quoted(screen.of)} is no bucket view"
                self._wrong("window", what, nearest(screen.of, there) or "declare one in [views]")
            return
        if not 1 <= screen.over <= buckets.keep:
            what = f"{screen.over} s is not in 1 to {buckets.keep}, which {quoted(screen.of)} keeps"
            self._wrong("over", what, f"keep more in {below('views', screen.of)}.keep")
        self._columns("by", screen.by, buckets.by)
        if screen.rollup and screen.rollup not in buckets.by:
            what = f"{quoted(screen.rollup)} is no group of {quoted(screen.of)}"
            self._wrong("rollup", what, nearest(screen.rollup, buckets.by))
        elif screen.rollup and screen.of in self.known:
            self._rollup(screen.rollup, self.known[screen.of].columns)

    def _top(self, screen: Top) -> None:
        for key, said in (("side", bool(screen.side)), ("by_sign", screen.by_sign)):
            if said and not screen.both:
                self._wrong(key, "is of no use without both = true", "add it")
        if of := self.known.get(screen.of):
            there = {**of.columns, **dict.fromkeys(screen.columns, "")}
            self._columns("by", (screen.by,), there)
            self._columns("per", (screen.per,), there)
            if there.get(screen.by) in ("string", "boolean"):
                what = f"{quoted(screen.by)} is of type {there[screen.by]}"
                self._wrong("by", what, "name a column with numbers")
            if screen.by_sign and there.get(screen.by) == "time":
                self._wrong("by_sign", "a time has no sign", "take it away")
            if screen.side in there:
                what = f"there is a column {quoted(screen.side)}"
                self._wrong("side", what, "choose another name")
        self._named("side", screen.side)

    def _totals(self, screen: Totals) -> None:
        made = [*screen.sum, *filter(None, (screen.count,))]
        if not made:
            what = "nothing is counted or summed"
            self.problems.add(self.place, what, "add count or sum")
        groups = {*screen.by, screen.rollup}
        for name in dict.fromkeys(made):
            key = "count" if name == screen.count else "sum"
            at = f"{self.place}.count" if key == "count" else below(f"{self.place}.sum", name)
            self.problems.name(at, name, column_problem(name))
            if made.count(name) > 1 or name in groups:
                self._wrong(key, f"there are two columns {quoted(name)}", "choose another name")
        if of := self.known.get(screen.of):
            self._columns("by", screen.by, of.columns)
            self._columns("rollup", (screen.rollup,), of.columns)
            self._rollup(screen.rollup, of.columns)
            # A column that is just listed is its own formula.
            listed = [name for name, formula in screen.sum.items() if name == formula]
            self._columns("sum", listed, of.columns)
            for name in listed:
                if of.columns.get(name) in ("string", "boolean", "time"):
                    what = f"{quoted(name)} is of type {of.columns[name]}"
                    self._wrong("sum", what, "only numbers have a sum")

    def _join(self, screen: JoinTables) -> None:
        self._named("clock", screen.clock)
        left, right = self.known.get(screen.left), self.known.get(screen.right)
        for name, shape in ((screen.left, left), (screen.right, right)):
            for column in screen.on:
                if shape and column not in shape.columns:
                    what = f"{quoted(name)} has no column"
                    self.problems.missing(f"{self.place}.on", what, column, shape.columns)
        if not left or not right:
            return
        key = operator(screen)
        for column in screen.on:
            kinds = [shape.columns.get(column, "") for shape in (left, right)]
            if all(kinds) and kinds[0] != kinds[1]:
                what = f"{quoted(column)} is of type {kinds[0]} and {kinds[1]}"
                self._wrong("on", what, "make them alike")
        if right.key is None:
            what = f"nothing tells the rows of {quoted(screen.right)} apart"
            self._wrong(key, what, "join a latest view, totals or a window")
        elif not set(right.key) <= set(screen.on):
            what = f"the rows of {quoted(screen.right)} are told apart by {listed(right.key)}"
            self._wrong("on", what, "name all of them")
        for column in right.columns:
            if column in left.columns and column not in (*screen.on, *EVERY_TABLE):
                what = f"both tables have a column {quoted(column)}"
                self._wrong(key, what, "show it in one of them only, or give it another name")
        if screen.clock in {**left.columns, **right.columns}:
            what = f"there is a column {quoted(screen.clock)}"
            self._wrong("clock", what, "choose another name")

"""Screens: all of a flow's, made of its stable views by the operators.

What several are made of is made once, and a screen that is declared as before, of views that are as
before, is the table it was.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import replace

from deephaven.table import Table

from tidegrid.contract.declaration import DeclarationError
from tidegrid.contract.declaration.check_screens import screens_in_order, shapes
from tidegrid.contract.declaration.tables import measures, tables_of
from tidegrid.contract.declaration.types import (
    Buckets,
    Flow,
    JoinTables,
    Screen,
    Top,
    Totals,
    Window,
)
from tidegrid.contract.views import Layout, View
from tidegrid.tables import formulas
from tidegrid.tables.ingest import GENERATION
from tidegrid.tables.operators.join import join
from tidegrid.tables.operators.rows import Rows, blamed_on, is_double
from tidegrid.tables.operators.shared import Shared
from tidegrid.tables.operators.throttle import recent, throttled
from tidegrid.tables.operators.top import top
from tidegrid.tables.operators.totals import totals
from tidegrid.tables.operators.window import window
from tidegrid.tables.stable import StableViews


class Screens:
    """The screens of one declaration of a flow, and its bucket views as they are shown."""

    def __init__(
        self,
        flow: Flow,
        layout: Layout,
        stable: StableViews,
        views: Mapping[str, tuple[str, Table]],
        shared: Shared,
        *,
        lenient: bool = False,
    ) -> None:
        """Make them; `views` has the id and the table of each stable view.

        Raises all that is wrong with screens. If it is lenient, such screens are `missing`, with
        all that is made of them.
        """
        self._flow = flow
        self._shapes = shapes(flow)
        self._stable, self._views, self._shared = stable, views, shared
        self._made: dict[str, Rows] = {}
        #: The tables to export by name.
        self.tables: dict[str, Table] = {}
        #: The screens that cannot be made, by name, and why.
        self.missing = formulas.refused(flow.screens.values())
        #: The keys of the tables, by which they are shared.
        self.keys: set[Hashable] = set()
        for view in layout.views:
            if view.window:
                self._show_slices(view)
        for screen in screens_in_order(flow):
            try:
                if screen.name not in self.missing:
                    self._build(screen)
            except DeclarationError as e:
                self.missing[screen.name] = e.problems
        if self.missing and not lenient:
            # What is made of a missing screen is missing for the same reasons.
            raise DeclarationError(dict.fromkeys(p for of in self.missing.values() for p in of))

    def _build(self, screen: Screen) -> None:
        of = [self._rows(name) for name in tables_of(screen)]
        plain = replace(screen, name="", title="", hidden=False)
        key = ("screen", repr(plain), *(rows.key for rows in of))
        with blamed_on(f"screens.{screen.name}"):
            table = self._shared.get(key, lambda: self._make(screen, of))
        self._made[screen.name] = Rows(key, table, self._unique(screen.name, table))
        self.keys.add(key)
        if not screen.hidden:
            self.tables[screen.name] = table

    def _make(self, screen: Screen, of: list[Rows]) -> Table:
        match screen:
            case Window():
                buckets = self._flow.views[screen.of]
                assert isinstance(buckets, Buckets)
                slices = self._slices(screen.of, min(screen.over, buckets.keep))
                return window(screen, buckets, slices, self._shared)
            case Top():
                return top(screen, of[0])
            case Totals():
                return totals(screen, of[0])
            case JoinTables():
                return join(screen, of[0], of[1])

    def _show_slices(self, view: View) -> None:
        """Export a bucket view with the slices of its window, and the columns that are shown."""
        slices, names = self._slices(view.name, view.window), [*view.columns, GENERATION]
        key = ("shown", slices.key, tuple(names))
        self.keys.add(key)
        self.tables[view.name] = self._shared.get(key, lambda: slices.table.view(names))

    def _rows(self, name: str) -> Rows:
        """Return what a screen can be made of, by its name."""
        if name in self._made:
            return self._made[name]
        if name in self.missing:
            raise DeclarationError(self.missing[name])
        view = self._flow.views[name]
        return self._slices(name, view.keep) if isinstance(view, Buckets) else self._copy(name)

    def _slices(self, name: str, seconds: int) -> Rows:
        """Return the slices of a bucket view that begin in the last seconds."""
        view = self._flow.views[name]
        assert isinstance(view, Buckets)
        key = ("recent", self._views[name][0], seconds, tuple(measures(view)))

        def make() -> Table:
            whole = self._slices(name, view.keep) if seconds < view.keep else self._copy(name)
            return recent(whole.table, seconds)

        table = self._shared.get(key, make)
        return Rows(key, table, self._unique(name, table))

    def _copy(self, name: str) -> Rows:
        """Return a throttled copy of a view with all that the screens need of it."""
        view, shown = self._views[name]
        columns, summed = self._needed(name, shown)
        found = (
            key
            for key in self._shared
            if isinstance(key, tuple)
            and key[:2] == ("copy", view)
            and key[2] >= columns
            and key[3] >= summed
        )
        key = next(found, ("copy", view, columns, summed))
        table = self._shared.get(key, lambda: throttled(self._stable, view, shown, columns, summed))
        unique = self._unique(name, table)
        # Screens depend on it: another key of the same columns makes them other tables.
        return Rows(("view", view, unique), table, unique)

    def _unique(self, name: str, table: Table) -> tuple[str, ...]:
        """Return what tells the rows of a table apart; all of its columns if nothing else does."""
        return self._shapes[name].key or tuple(table.column_names)

    def _needed(self, name: str, shown: Table) -> tuple[frozenset[str], frozenset[str]]:
        """Return the columns that the screens need of a view, and those of doubles they sum."""
        there = set(shown.column_names)
        declared = self._flow.views[name]
        columns = set(there) if isinstance(declared, Buckets) else set()
        summed = set(declared.sum) if isinstance(declared, Buckets) else set()
        for screen in self._flow.screens.values():
            if name in tables_of(screen) and screen.name not in self.missing:
                columns |= there & used(screen, there, self._unique(name, shown))
                summed |= set(screen.sum.values()) & there if isinstance(screen, Totals) else set()
        return frozenset(columns), frozenset(n for n in summed if is_double(shown, n))


def used(screen: Screen, there: Collection[str], unique: Collection[str]) -> set[str]:
    """Return the columns that a screen may look at, of those there are."""
    named = set(screen.show)
    for _, text in formulas.formulas_of(screen):
        named |= formulas.columns(text)
    match screen:
        case Totals():
            return named | {*screen.by, screen.rollup}
        case Top() if screen.show:
            return named | {screen.by, screen.per, *unique}
        case JoinTables() if screen.show:
            return named | set(screen.on)
    return set(there)

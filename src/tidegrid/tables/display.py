"""Displays: the tables that viewers see of a flow, one set for each declaration that is about.

Views and screens that two declarations have alike are the same tables, so their handles stay when
one takes over from the other. What no declaration has any more is let go.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass

from deephaven.table import Table

from tidegrid.contract.declaration.types import Flow
from tidegrid.contract.views import Layout, View
from tidegrid.tables.ingest import columns_of, empty
from tidegrid.tables.operators.screens import Screens
from tidegrid.tables.operators.shared import Shared
from tidegrid.tables.stable import StableViews


@dataclass(frozen=True)
class Display:
    """What viewers see of one declaration of a flow, whichever generation is behind it."""

    flow: Flow
    layout: Layout
    #: The id and the table of each stable view, by name.
    views: dict[str, tuple[str, Table]]
    screens: Screens

    @property
    def tables(self) -> dict[str, Table]:
        """The tables to export, by name."""
        return {**{name: table for name, (_, table) in self.views.items()}, **self.screens.tables}

    @property
    def ids(self) -> list[str]:
        """The ids of its stable views."""
        return [view for view, _ in self.views.values()]


class Displays:
    """The displays of one flow, and the stable views behind them."""

    def __init__(self) -> None:
        self.stable = StableViews()
        self._shared = Shared()

    def make(self, flow: Flow, layout: Layout, *, lenient: bool = False) -> Display:
        """Make what is not there yet.

        Raises what is wrong with the screens of a declaration; if it is lenient, those are missing.
        """
        views = {v.name: self._view(v, layout) for v in layout.views}
        screens = Screens(flow, layout, self.stable, views, self._shared, lenient=lenient)
        return Display(flow, layout, views, screens)

    def keep(self, displays: Collection[Display]) -> None:
        """Let go of the tables that none of those has."""
        views = {("view", view) for d in displays for view in d.ids}
        self._shared.keep(views.union(*(d.screens.keys for d in displays)))
        self.stable.keep(view for d in displays for view in d.ids)

    def drop_failed(self) -> None:
        """Have the next display make tables that are dead again; `keep` lets go of them."""
        self._shared.drop_failed()

    def release(self) -> None:
        """Let go of everything."""
        self._shared.keep(())
        self.stable.release()

    def _view(self, view: View, layout: Layout) -> tuple[str, Table]:
        columns = [(name, kind) for name, (_, kind) in columns_of(view, layout).items()]
        digest = hashlib.sha256(repr(columns).encode()).hexdigest()[:12]
        key = f"{view.name}/{digest}"
        made = self._shared.get(("view", key), lambda: self.stable.view(key, empty(view, layout)))
        return key, made

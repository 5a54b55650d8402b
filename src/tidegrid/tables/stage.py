"""The stage of a flow: the generations that there are tables of, and the one that viewers see.

Each is shown by its own declaration. What both have alike keeps its handle when one takes over; the
rest is exported again, so viewers attach by name, as they do when a table has failed: a handle of a
failed table is dead.
"""

from __future__ import annotations

from tidegrid import logs
from tidegrid.contract.declaration.types import Flow
from tidegrid.contract.views import Layout
from tidegrid.tables.built import Built
from tidegrid.tables.catalogue import Catalogue
from tidegrid.tables.display import Display, Displays
from tidegrid.tables.exports import Exports

_log = logs.get("tables")


class Stage:
    """What viewers see of one flow."""

    def __init__(self, flow: str, exports: Exports, catalogue: Catalogue) -> None:
        self._flow = flow
        self._exports = exports
        self._catalogue = catalogue
        self._displays = Displays()
        self._shown: Display | None = None
        #: What each generation is shown by, and its tables, by its number.
        self.display_of: dict[int, Display] = {}
        self.built: dict[int, Built] = {}
        #: The generation that viewers see; 0 is none.
        self.active = 0

    @property
    def rows(self) -> dict[str, int]:
        """Rows of each view, as viewers see them."""
        shown = self._shown.views if self._shown is not None else {}
        return {name: table.size for name, (_, table) in shown.items()}

    def declare(self, flow: Flow, layout: Layout) -> None:
        """Export a flow as it is declared, with no rows."""
        self._export(self._displays.make(flow, layout, lenient=True))

    def prepare(self, flow: Flow, layout: Layout, *, lenient: bool) -> Display:
        """Make what a generation is shown by.

        Raises what is wrong with its declaration; if it is lenient, such screens are missing.
        """
        return self._displays.make(flow, layout, lenient=lenient)

    def add(self, built: Built, display: Display) -> None:
        """Put the tables of a generation beside the others."""
        generation = built.birth.generation
        self.built[generation] = built
        self.display_of[generation] = display
        self._register(generation)
        if self._shown is None:
            self._export(display)

    def taken(self, display: Display) -> str:
        """Say which table has a name that is another flow's; nothing if all are free."""
        return self._exports.taken(self._flow, display.tables)

    def flip(self, generation: int) -> None:
        """Show a generation, in all views in one update cycle."""
        if failed := _failed(self.display_of[generation]):
            # Dead tables show nothing, whatever they are told.
            self.rebuild(failed)
        display = self.display_of[generation]
        self._displays.stable.flip(self.built[generation].number, display.ids)
        self.active = generation
        self._export(display)

    def release(self, generation: int) -> None:
        """Let go of a generation that viewers do not see."""
        built, display = self.built.pop(generation), self.display_of.pop(generation)
        self._displays.stable.forget(built.number, display.ids)
        built.release()
        self.tidy()

    def tidy(self) -> None:
        """Let go of the tables that nothing is shown by."""
        self._displays.keep(self._in_use)

    @property
    def failed(self) -> list[str]:
        """The names of tables that viewers should see and that are dead or missing."""
        return _failed(self._shown) if self._shown is not None else []

    def drop(self, generations: list[int]) -> None:
        """Let go of generations whose tables are dead, be they seen or not, and begin again."""
        for generation in generations:
            del self.display_of[generation]
            self.built.pop(generation).release()
        self._rebuild(whole=True)

    def rebuild(self, failed: list[str]) -> None:
        """Give viewers new tables for those that are dead.

        If it is a view, for all of them. Else a formula met a row it cannot do, and what is not
        made of it is left alone.
        """
        views = {name for display in self._in_use for name in display.views}
        self._rebuild(whole=bool(views & set(failed)))

    def close(self) -> None:
        """Let go of everything, and of the names."""
        self._exports.put(self._flow, {})
        self._catalogue.remove(self._flow)
        for built in self.built.values():
            built.release()
        self._displays.release()

    def _rebuild(self, *, whole: bool) -> None:
        before = self._displays
        if self.active not in self.built:
            self.active = 0
        displays = Displays() if whole else before
        displays.drop_failed()

        def made(display: Display) -> Display:
            return displays.make(display.flow, display.layout, lenient=True)

        try:
            display_of = {g: made(display) for g, display in self.display_of.items()}
            shown = made(self._shown) if self._shown is not None else None
        except BaseException:
            if whole:
                displays.release()
            raise
        self._displays, self.display_of = displays, display_of
        # The new tables have their rows before they have the names, and the old ones are let go
        # after that: who asks by name never gets one that is still empty or is gone already.
        if whole:
            for generation in self.built:
                self._register(generation)
            if self.active:
                displays.stable.flip(self.built[self.active].number, display_of[self.active].ids)
        if shown is not None:
            self._export(shown)
        if whole:
            before.release()

    @property
    def _in_use(self) -> list[Display]:
        shown = [self._shown] if self._shown is not None else []
        return [*shown, *self.display_of.values()]

    def _register(self, generation: int) -> None:
        built, views = self.built[generation], self.display_of[generation].views
        tables = {views[name][0]: table for name, table in built.ingest.views.items()}
        self._displays.stable.register(built.number, tables)

    def _export(self, display: Display) -> None:
        self._exports.put(self._flow, display.tables, yields=not self.built)
        self._catalogue.put(display.flow, display.tables)
        self._shown = display
        for name, problems in display.screens.missing.items():
            for problem in problems:
                about = {"flow": self._flow}
                _log.error("%s: screen %s is missing: %s", self._flow, name, problem, extra=about)
        self.tidy()


def _failed(display: Display) -> list[str]:
    dead = [name for name, table in display.tables.items() if table.j_table.isFailed()]
    return [*dead, *display.screens.missing]

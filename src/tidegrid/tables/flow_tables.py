"""The tables of one flow: several generations beside each other, one of them shown.

Each generation's tables are built beside the active ones; when every source of a new one has been
read to the end its receipt names, `caught-up` is written, all views flip in one update cycle, and
`live` is written. A generation's tables are let go when a receipt says that it is over. If a table
fails, all of them are made anew: a handle of a failed table is dead, so viewers attach by name.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Protocol

from deephaven import new_table
from deephaven.column import double_col, int_col, long_col, string_col
from deephaven.execution_context import ExecutionContext
from deephaven.table import Table

from tidegrid import logs
from tidegrid.book import Book
from tidegrid.contract import control, receipts
from tidegrid.contract.receipts import Life, Offsets, Receipt, now
from tidegrid.contract.views import Flow, View
from tidegrid.patience import Patience
from tidegrid.tables.arrivals import Arrivals
from tidegrid.tables.built import Built
from tidegrid.tables.figures import Seen, highest
from tidegrid.tables.ingest import shape
from tidegrid.tables.screens import Counts, Screens
from tidegrid.tables.stable import StableViews

_log = logs.get("tables")

_COLUMNS = {
    "string": string_col,
    "int": int_col,
    "long": long_col,
    "double": double_col,
    "time": long_col,
    "nanos": long_col,
}
#: Seconds between two previews of a generation that is being built.
_PREVIEW_EVERY = 1.0


class Exports(Protocol):
    """Where a table gets its public name: Deephaven's application state."""

    def __setitem__(self, name: str, value: object) -> None:
        """Export a table under a name."""


#: What is made of the stable views of a flow, by name.
More = Callable[[StableViews], Mapping[str, Table]]


class FlowTables:
    """The tables of one flow."""

    def __init__(
        self,
        flow: Flow,
        arrivals: Arrivals,
        exports: Exports,
        context: ExecutionContext,
        screens: Screens,
        min_rows_ratio: float,
        more: More = lambda _: {},
    ) -> None:
        self._flow = flow
        self._more = more
        self._arrivals = arrivals
        self._exports = exports
        self._context = context
        self._screens = screens
        self._min_rows_ratio = min_rows_ratio
        self._numbers = itertools.count(1)
        self._built: dict[int, Built] = {}
        #: The generation that viewers see; 0 is none.
        self.active = 0
        self._patience, self._next_rebuild = Patience(), 0.0
        self._next_preview = 0.0
        self._stable = self._export_stable()

    @property
    def rows(self) -> dict[str, int]:
        """Rows of each view, as viewers see them."""
        return {name: table.size for name, table in self._stable.views.items()}

    @property
    def seen(self) -> dict[int, Seen]:
        """What has come of each generation that there are tables of."""
        found = {}
        for generation, built in self._built.items():
            progress = built.progress
            newest = max((ts for _, _, _, ts in progress), default=None)
            found[generation] = Seen(built.birth, highest(progress), newest, built.rejects)
        return found

    def follow(self, book: Book) -> None:
        """Do what the receipts ask for."""
        lives = book.ledger.lives(self._flow.name)
        self._rebuild_failed()
        for generation in [g for g, life in lives.items() if life.running]:
            if generation not in self._built:
                self._build(lives[generation].birth)
        self._show(book)
        for generation in [g for g in self._built if g not in lives or not lives[g].running]:
            if generation != self.active:
                self._release(generation)
        coming = book.ledger.coming(self._flow.name)
        if coming is not None:
            self._advance(book, lives[coming])

    def _show(self, book: Book) -> None:
        """See that viewers have something to look at."""
        lives = book.ledger.lives(self._flow.name)
        if self.active in lives and lives[self.active].running:
            return
        # At a start nobody is disturbed: what is live, or else what is being built, shows at once.
        # Later it can only be that a generation took over and was ended in the same moment.
        running = (g for g in lives if g in self._built and lives[g].running)
        shown = book.ledger.live(self._flow.name) or (next(running, 0) if not self.active else 0)
        if shown:
            self._flip(shown)

    def _rebuild_failed(self) -> None:
        """Let go of the generations whose tables have failed; they are built again.

        If viewers see such a table, they get new ones under the same names.
        """
        failed = self._failed_exports
        broken = {g: built for g, built in self._built.items() if built.failed}
        if not (failed or broken) or time.monotonic() < self._next_rebuild:
            return
        names = [
            f"{name} of generation {g}" for g, built in broken.items() for name in built.failed
        ]
        _log.error(
            "tables %s failed; making them anew",
            ", ".join(names or failed),
            extra={"flow": self._flow.name},
        )
        begun = time.monotonic()
        self._next_rebuild = begun + self._patience.wait(well=begun - self._next_rebuild)
        if not failed and self.active not in broken:
            for generation in broken:
                self._release(generation)
            return
        self._built = {g: built for g, built in self._built.items() if g not in broken}
        self._renew()
        if self.active in self._built:
            self._flip(self.active)
        else:
            self.active = 0
        for built in broken.values():
            built.release()

    def _build(self, birth: Receipt) -> None:
        self._say(birth.generation, "building tables")
        graph = self._context.update_graph
        built = Built.build(next(self._numbers), self._flow, birth, self._arrivals, graph)
        self._stable.register(built.number, built.ingest.views)
        self._built[birth.generation] = built

    @property
    def _failed_exports(self) -> list[str]:
        return [name for name, table in self._exported.items() if table.j_table.isFailed()]

    def _renew(self) -> None:
        """Give viewers new tables under the same names, beside all that is built."""
        self._stable = self._export_stable()
        for built in self._built.values():
            self._stable.register(built.number, built.ingest.views)

    def _flip(self, generation: int) -> None:
        if self._failed_exports:
            # Dead tables show nothing, whatever they are told.
            self._renew()
        self._stable.flip(self._built[generation].number)
        self.active = generation

    def _release(self, generation: int) -> None:
        built = self._built.pop(generation)
        self._stable.forget(built.number)
        built.release()
        self._say(generation, "tables let go")

    def _advance(self, book: Book, life: Life) -> None:
        """Let a generation take over once every source partition has reached its end."""
        birth = life.birth
        built = self._built[birth.generation]
        if built.failed:
            return
        seen = highest(built.progress)
        reached = receipts.reached(birth, seen)
        old = self._built.get(self.active) if self.active != birth.generation else None
        # What has failed is no measure for what comes, and the sooner that is there the better.
        old = None if old is not None and old.failed else old
        if life.state == "building" and (reached or time.monotonic() >= self._next_preview):
            self._next_preview = time.monotonic() + _PREVIEW_EVERY
            self._preview(birth, old, built, seen)
        if not reached or not built.catching_up.is_over():
            return
        before = old.rows if old is not None else {}
        step = replace(
            birth,
            state="caught-up",
            at=now(),
            # After a rollback it is that message.
            control=life.control,
            rows=built.rows,
            before=before,
        )
        if life.state == "building":
            problem = control.guard(step, self._flow, self._min_rows_ratio)
            if problem:
                book.write(failed := replace(step, state="failed", reason=problem))
                self._screens.show(failed, book.ledger)
                return
            book.write(step)
            self._screens.show(step, book.ledger)
        self._flip(birth.generation)
        book.write(live := replace(step, state="live", at=now()))
        self._screens.show(live, book.ledger)
        self._say(birth.generation, "live")

    def _preview(self, birth: Receipt, old: Built | None, new: Built, seen: Offsets) -> None:
        before = Counts(old.rows, old.keys(self._flow)) if old else Counts({}, {})
        after = Counts(new.rows, new.keys(self._flow))
        self._screens.preview(birth, before, after, receipts.read_so_far(birth, seen))

    def _say(self, generation: int, what: str) -> None:
        about = {"flow": self._flow.name, "generation": generation}
        _log.info("%s generation %d: %s", self._flow.name, generation, what, extra=about)

    def _export_stable(self) -> StableViews:
        empty = {v.name: _empty(self._flow, v) for v in self._flow.views}
        stable = StableViews(self._flow, empty)
        exported = {**stable.views, **self._more(stable)}
        for name, table in exported.items():
            self._exports[name] = table
        self._exported = exported
        return stable


def _empty(flow: Flow, view: View) -> Table:
    """Return a table with a view's columns and no rows."""
    changelog = flow.changelog(view.changelog)
    columns = [_COLUMNS[kind](name, []) for name, kind in changelog.columns.items()]
    return shape(new_table(columns), view, flow, generation=0)

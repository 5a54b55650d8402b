"""The tables of one generation, beside those of others: what they hold and how far they are."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from deephaven import DHError
from deephaven import numpy as dhnp
from deephaven.liveness_scope import LivenessScope, liveness_scope
from deephaven.table import Table
from deephaven.update_graph import exclusive_lock

from tidegrid.contract import control
from tidegrid.contract.control import Unused
from tidegrid.contract.receipts import Offsets, Receipt, flow_of, layout_of
from tidegrid.contract.views import REASON_DETAIL, REJECTS, View
from tidegrid.errors import KafkaError
from tidegrid.tables.arrivals import Arrivals
from tidegrid.tables.ingest import Ingest, no_rows, streams
from tidegrid.tables.scopes import new_scope

#: Seconds without a row of the backlog after which none is missing any more.
_STILL = 0.2


@dataclass(frozen=True)
class Built:
    """The tables of one generation, and what holds them."""

    number: int
    scope: LivenessScope
    ingest: Ingest
    birth: Receipt
    catching_up: CatchingUp
    subjects: Subjects

    @classmethod
    def build(cls, number: int, birth: Receipt, arrivals: Arrivals) -> Built:
        """Make the tables of a generation and begin to read its changelogs."""
        layout, place = layout_of(birth), (birth.flow, layout_of(birth), birth.generation)
        with liveness_scope():
            # Deephaven compiles the formulas now, and not while nothing else may run.
            Ingest({c.name: no_rows(c) for c in layout.changelogs}, *place).backlog(birth.end)
        # No cycle may run before all tables hang on the streams: what comes in it would be lost. If
        # it fails, the readers that have begun end with the scope, when cycles run again.
        try:
            with new_scope() as scope, exclusive_lock(arrivals.graph):
                ingest = Ingest(streams(arrivals, *place, birth.copies), *place)
                catching_up = CatchingUp(ingest, birth)
        except DHError as e:
            # Deephaven's lock wraps whatever is raised under it: a broker that is away is no fault.
            if isinstance(e.__cause__, KafkaError):
                raise e.__cause__ from None
            raise
        return cls(number, scope, ingest, birth, catching_up, Subjects(ingest, birth))

    def release(self) -> None:
        """Let go of the tables, and stop reading."""
        self.catching_up.end()
        self.subjects.end()
        self.scope.release()

    @property
    def rows(self) -> dict[str, int]:
        """How many rows each view has."""
        return {name: table.size for name, table in self.ingest.views.items()}

    @property
    def failed(self) -> list[str]:
        """The views whose tables are dead, and never come back."""
        return [n for n, table in self.ingest.views.items() if table.j_table.isFailed()]

    @property
    def progress(self) -> list[tuple[str, int, int, int]]:
        """Topic, partition, highest offset and newest time, of each changelog and partition."""
        columns = ("topic", "partition", "offset", "ts")
        rows = (row for table in self.ingest.progress.values() for row in _rows(table, *columns))
        return [(str(t), int(p), int(o), int(at)) for t, p, o, at in rows]

    @property
    def rejects(self) -> dict[tuple[str, str], int]:
        """How many records were rejected, by topic and kind of reason."""
        rows = _rows(self.ingest.rejects, "topic", "kind", "count")
        return {(str(topic), str(kind)): int(count) for topic, kind, count in rows}

    def unused(self, seen: Offsets) -> dict[str, Unused]:
        """Return what became of the newest records of each topic, as far as they have come.

        The list of rejects looks back over so many offsets of each partition.
        """
        with liveness_scope():
            kind = f"kind=isNull(reason) ? `` : reason.replaceFirst(`{REASON_DETAIL}`, ``)"
            rejected = self.ingest.views[REJECTS.name].view(["topic", "partition", "offset", kind])
            rows = _rows(rejected, "topic", "partition", "offset", "kind")
        rejects = ((str(t), int(p), int(o), str(k)) for t, p, o, k in rows)
        keep = flow_of(self.birth).rejects_keep
        return control.newest_unused(self.birth.start, seen, rejects, keep)


class CatchingUp:
    """Whether all rows of a backlog have come.

    That every partition has been seen to its end does not say so: the tasks that hold a query's
    state write each for itself, and one may be behind another. So it is over when no row of the
    backlog has come for a moment.
    """

    def __init__(self, ingest: Ingest, birth: Receipt) -> None:
        self._count, self._since = -1, 0.0
        with new_scope() as scope:
            self._tables = ingest.backlog(birth.end)
        self._scope: LivenessScope | None = scope

    def is_over(self) -> bool:
        """Whether nothing has come for long enough; asked again and again."""
        if self._scope is None:
            return True
        now = time.monotonic()
        count = sum(int(n) for table in self._tables for (n,) in _rows(table, "count"))
        if count != self._count:
            self._count, self._since = count, now
        if now - self._since < _STILL:
            return False
        self.end()
        return True

    def end(self) -> None:
        """Stop counting."""
        if self._scope is not None:
            self._tables = []
            self._scope.release()
            self._scope = None


class Subjects:
    """How many different subjects the rows of each view are about, for as long as somebody asks.

    Counted as rows come: a million of them are not looked at again each time.
    """

    def __init__(self, ingest: Ingest, birth: Receipt) -> None:
        self._views = ingest.views
        self._layout = layout_of(birth)
        self._scope: LivenessScope | None = None
        self._tables: dict[str, Table] = {}

    def count(self) -> dict[str, int]:
        """Return the subjects of each view; from now on they are counted."""
        if self._scope is None:
            with new_scope() as scope:
                self._tables = {
                    view.name: self._of(self._views[view.name], view) for view in self._layout.views
                }
            self._scope = scope
        return {name: table.size for name, table in self._tables.items()}

    def end(self) -> None:
        """Stop counting."""
        if self._scope is not None:
            self._tables = {}
            self._scope.release()
            self._scope = None

    def _of(self, table: Table, view: View) -> Table:
        # A row is a subject where it is all of the key.
        several = view.key != (view.subject,) and view.subject in table.column_names
        return table.select_distinct(view.subject) if several else table


def _rows(table: Table, *columns: str) -> list[tuple[Any, ...]]:
    if table.size == 0:
        return []
    # In a scope of its own: what is made to read a table would hold it, and its consumer, for good.
    with liveness_scope():
        values = [dhnp.to_numpy(table, [name])[:, 0] for name in columns]
    # A table that grows meanwhile is longer in the later columns.
    return list(zip(*values, strict=False))

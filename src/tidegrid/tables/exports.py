"""Exports: the names that viewers find tables under, each of one flow."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from typing import Protocol

import jpy
from deephaven import empty_table, input_table, new_table
from deephaven.column import InputColumn, long_col, string_col
from deephaven.table import Table

from tidegrid.contract.views import REJECTS
from tidegrid.tables.scopes import new_scope
from tidegrid.tables.stable import NO_TABLE, merged, with_tables


class Application(Protocol):
    """Where a table gets its public name: Deephaven's application state."""

    j_app_state: jpy.JType

    def __setitem__(self, name: str, value: object) -> None:
        """Export a table under a name."""


class Exports:
    """Tables by name; the rejects of all flows are one table."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._tables: dict[str, dict[str, Table]] = {}
        self._yielding: set[str] = set()
        self._rejects: Rejects | None = None

    def taken(self, owner: str, names: Iterable[str]) -> str:
        """Say which of some names is another's; nothing if all are free."""
        wanted = set(names) - {REJECTS.name}
        for other, tables in self._tables.items():
            both = sorted(wanted & set(tables))
            if both and other != owner and other not in self._yielding:
                return f"there is a table {both[0]} already, of {other or 'Tidegrid itself'}"
        return ""

    def put(self, owner: str, tables: Mapping[str, Table], *, yields: bool = False) -> None:
        """Export the tables of an owner in place of those it had; no owner is Tidegrid itself.

        A name whose table has changed is told to the viewers, who then attach to the new one. An
        owner that yields, of which nothing runs, has the names that no other wants.
        """
        if yields:
            self._yielding.add(owner)
            tables = {n: table for n, table in tables.items() if not self.taken(owner, [n])}
        else:
            self._yielding.discard(owner)
            for other in self._yielding:
                for name in tables.keys() - {REJECTS.name}:
                    self._tables.get(other, {}).pop(name, None)
        before = self._tables.get(owner, {})
        for name, table in tables.items():
            if before.get(name) is not table:
                self._export(owner, name, table)
        for name in before.keys() - tables.keys():
            if name == REJECTS.name and self._rejects is not None:
                self._rejects.remove(owner)
            else:
                # Its Python side takes nothing for an answer that says there was no such field.
                self._application.j_app_state.removeField(name)
        self._tables[owner] = dict(tables)
        if not tables:
            del self._tables[owner]

    def rebuild_rejects(self) -> None:
        """Make the table of all rejects again if it has failed, without the part it died of.

        The flow that has such a part may be gone, and else puts a new one here in a moment.
        """
        before = self._rejects
        if before is not None and before.failed:
            self._new_rejects(before.table)
            before.release()

    def _export(self, owner: str, name: str, table: Table) -> None:
        if name != REJECTS.name:
            self._application[name] = table
            return
        self.rebuild_rejects()
        (self._rejects or self._new_rejects(table)).put(owner, table)

    def _new_rejects(self, like: Table) -> Rejects:
        made = Rejects(like)
        for owner, tables in self._tables.items():
            part = tables.get(REJECTS.name)
            if part is not None and not part.j_table.isFailed():
                made.put(owner, part)
        self._application[REJECTS.name] = made.table
        self._rejects = made
        return made


class Rejects:
    """One table of those of several flows, which come and go under the same handle."""

    def __init__(self, like: Table) -> None:
        self._numbers = itertools.count(1)
        self._held: dict[str, int] = {}
        with new_scope() as self._scope:
            none = empty_table(0).update(["Flow=``", "Number=0L", NO_TABLE])
            key = ["Flow", "Number"]
            self._parts = input_table(init_table=none, key_cols=key)
            self.table = merged(self._parts, key, like)

    @property
    def failed(self) -> bool:
        """Whether it is dead, as one of its parts is."""
        return bool(self.table.j_table.isFailed())

    def put(self, flow: str, table: Table) -> None:
        """Add the table of a flow, in place of the one it had."""
        self.remove(flow)
        # A number of its own: Deephaven fails if a part is replaced in its place.
        self._held[flow] = next(self._numbers)
        self._parts.add(with_tables(self._key(flow), [table]))

    def remove(self, flow: str) -> None:
        """Take the table of a flow away."""
        if flow in self._held:
            self._parts.delete(new_table(self._key(flow)))
            del self._held[flow]

    def release(self) -> None:
        """Let go of it."""
        self._scope.release()

    def _key(self, flow: str) -> list[InputColumn]:
        return [string_col("Flow", [flow]), long_col("Number", [self._held[flow]])]

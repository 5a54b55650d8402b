"""Stable views: tables whose name and handle stay while the generation behind them changes.

A registry holds one row for each (build, view) with the build's table as a cell; a second table
says which build each view shows. A stable view is the registry filtered by it, merged. Flipping is
writing the rows of all views of a build at once: they change in the same update cycle. Views of
other columns have another id; one that the new build does not have goes on showing the old build.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from deephaven import empty_table, input_table, new_table
from deephaven.column import InputColumn, jobj_col, long_col, string_col
from deephaven.table import PartitionedTable, Table
from deephaven.update_graph import shared_lock

from tidegrid.tables.scopes import new_scope

_TABLE = "io.deephaven.engine.table.Table"
#: The formula of the column that has a table in each row, where there are no rows.
NO_TABLE = f"T=({_TABLE})null"


def with_tables(columns: Sequence[InputColumn], tables: Iterable[Table]) -> Table:
    """Return rows with a table each, in the column `T`."""
    cells = jobj_col("Cell", [table.j_table for table in tables])
    return new_table([*columns, cells]).update(f"T=({_TABLE})Cell").drop_columns("Cell")


def merged(rows: Table, key: Sequence[str], like: Table) -> Table:
    """Merge the tables in the column `T` of some rows, which come and go."""
    return PartitionedTable.from_partitioned_table(
        rows,
        key_cols=list(key),
        unique_keys=True,
        constituent_column="T",
        constituent_table_columns=like.columns,
        constituent_changes_permitted=True,
    ).merge()


class StableViews:
    """The views of one flow, by id; each is empty until a build is shown in it."""

    def __init__(self) -> None:
        with new_scope() as self._scope:
            empty = empty_table(0).update(["Build=0L", "View=``", NO_TABLE])
            self._registry = input_table(init_table=empty, key_cols=["Build", "View"])
            pointers = empty.view(["View", "Build"])
            self._active = input_table(init_table=pointers, key_cols=["View"])
            self._live = self._registry.where_in(self._active, ["Build", "View"])
        self._shown: set[str] = set()

    def view(self, view: str, like: Table) -> Table:
        """Make the stable view of that id, with the columns of a table."""
        return merged(self._live.where(f"View == `{view}`"), ["View"], like)

    def build_shown(self, view: str) -> Table:
        """Return one row, `Build`: it changes in the update cycle in which the view does."""
        return self._active.where(f"View == `{view}`").view("Build")

    def register(self, build: int, tables: Mapping[str, Table]) -> None:
        """Put a build beside the ones that are shown; no viewer sees it yet."""
        self._registry.add(with_tables(_key(build, tables), tables.values()))

    def flip(self, build: int, views: Iterable[str]) -> None:
        """Show a build in its views, all in one update cycle, and see that one end."""
        names = list(views)
        self._active.add(new_table(_key(build, names)).view(["View", "Build"]))
        self._shown.update(names)
        # It was taken up, but the cycle may still run: what is opened now would have the old size.
        with shared_lock(self._active):
            pass

    def forget(self, build: int, views: Iterable[str]) -> None:
        """Let go of the tables of a build."""
        self._registry.delete(new_table(_key(build, views)))

    def keep(self, views: Iterable[str]) -> None:
        """Forget which build other views show: with every change of columns there are more."""
        if gone := self._shown.difference(views):
            self._active.delete(new_table([string_col("View", list(gone))]))
            self._shown -= gone

    def release(self) -> None:
        """Let go of everything."""
        self._scope.release()


def _key(build: int, views: Iterable[str]) -> list[InputColumn]:
    names = list(views)
    return [long_col("Build", [build] * len(names)), string_col("View", names)]

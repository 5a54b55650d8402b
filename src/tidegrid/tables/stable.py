"""Stable views: tables whose name and handle stay while the generation behind them changes.

A registry holds one row for each (build, view) with the build's table as a cell; a one-row table
says which build is active. A stable view is the registry filtered by it, merged. Flipping is
writing that one row: every view of the flow changes in the same update cycle.
"""

from __future__ import annotations

from collections.abc import Mapping

from deephaven import input_table, new_table
from deephaven.column import InputColumn, jobj_col, long_col, string_col
from deephaven.table import PartitionedTable, Table
from deephaven.update_graph import shared_lock

from tidegrid.contract.views import Flow

_TABLE = "io.deephaven.engine.table.Table"


class StableViews:
    """The views of one flow. Build 0 is made of empty tables, so that every name exists at once."""

    def __init__(self, flow: Flow, empty: Mapping[str, Table]) -> None:
        self._registry = input_table(init_table=_rows(0, empty), key_cols=["Build", "View"])
        #: One row, `Build`: it changes in the update cycle in which the views do.
        self.active = input_table(init_table=_pointer(0), key_cols=["Id"])
        live = self._registry.where_in(self.active, "Build")
        self.views = {view.name: _merged(live, view.name, empty[view.name]) for view in flow.views}

    def register(self, build: int, tables: Mapping[str, Table]) -> None:
        """Put a build beside the active one; no viewer sees it yet."""
        self._registry.add(_rows(build, tables))

    def flip(self, build: int) -> None:
        """Make a build the active one, for all views in one update cycle, and see that one end."""
        self.active.add(_pointer(build))
        # It was taken up, but the cycle may still run: what is opened now would have the old size.
        with shared_lock(self.active):
            pass

    def forget(self, build: int) -> None:
        """Let go of the tables of a build that is not active."""
        names = list(self.views)
        keys = [long_col("Build", [build] * len(names)), string_col("View", names)]
        self._registry.delete(new_table(keys))


def _rows(build: int, tables: Mapping[str, Table]) -> Table:
    columns: list[InputColumn] = [
        long_col("Build", [build] * len(tables)),
        string_col("View", list(tables)),
        jobj_col("Cell", [t.j_table for t in tables.values()]),
    ]
    return new_table(columns).update(f"T=({_TABLE})Cell").drop_columns("Cell")


def _pointer(build: int) -> Table:
    return new_table([string_col("Id", ["active"]), long_col("Build", [build])])


def _merged(live: Table, view: str, like: Table) -> Table:
    return PartitionedTable.from_partitioned_table(
        live.where(f"View == `{view}`"),
        key_cols=["View"],
        unique_keys=True,
        constituent_column="T",
        constituent_table_columns=like.columns,
        constituent_changes_permitted=True,
    ).merge()

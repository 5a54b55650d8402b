"""Join of tables: two side by side, by columns that are unique in the second.

Every row of the first is there once; with `full`, so is every row of the second that none of the
first has. State: one row of each table, and of the columns that are added. A clock changes every
row every five seconds.
"""

from __future__ import annotations

from deephaven import merge, time_table
from deephaven.table import Table

from tidegrid.contract.declaration.types import JoinTables
from tidegrid.tables.ingest import GENERATION
from tidegrid.tables.operators.rows import Rows, filtered, finished, with_columns

_CLOCK_SECONDS = 5


def join(screen: JoinTables, left: Rows, right: Rows) -> Table:
    """Return two tables as one."""
    on = list(screen.on)
    own = _shown(left.table)
    others = [n for n in _shown(right.table) if n not in own]
    joined = left.table.natural_join(
        right.table, on=on, joins=[*others, f"tg_generation={GENERATION}"]
    )
    # A total that is always there is of no generation while it is empty.
    rows = joined.update_view(f"{GENERATION}=isNull({GENERATION}) ? tg_generation : {GENERATION}")
    if screen.full:
        rows = merge([t.view([*own, *others]) for t in (rows, _right_only(left, right, on))])
    if screen.clock:
        clock = time_table(f"PT{_CLOCK_SECONDS}s").last_by().view(f"{screen.clock}=Timestamp")
        rows = rows.natural_join(clock, on=[])
    return finished(with_columns(filtered(rows, screen, "where"), screen), screen)


def _right_only(left: Rows, right: Rows, on: list[str]) -> Table:
    """Return the rows of the second that none of the first goes with, as rows of both."""
    there = left.table.count_by("tg_here", by=on)
    alone = right.table.natural_join(there, on=on, joins="tg_here").where("isNull(tg_here)")
    missing = [n for n in _shown(left.table) if n not in alone.column_names]
    # None of these rows is there: it is for the types of their columns, which are empty.
    return alone.natural_join(left.table.where("false"), on=on, joins=missing) if missing else alone


def _shown(table: Table) -> list[str]:
    return [name for name in table.column_names if not name.startswith("tg_")]

"""Throttle: copies of views that follow them some times a second, for screens to be made of.

A copy has what has changed in the view since the last time, and at once when another build shows.
It holds the columns it was asked for, and a decimal of each that is summed, made once for all.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection
from datetime import UTC, datetime

from deephaven import empty_table, input_table, merge, time_table
from deephaven.column import long_col
from deephaven.experimental import time_window
from deephaven.table import Table

from tidegrid.tables.ingest import GENERATION
from tidegrid.tables.operators.rows import decimal, exact
from tidegrid.tables.stable import NO_TABLE, StableViews, merged, with_tables

#: Seconds between two times that screens are worked out.
EVERY = 0.5
_NANOS = 1_000_000_000
#: In turns, as shares of that time, so that no cycle has to do all of it.
_turns = itertools.cycle((0.5, 0.0, 0.25, 0.75))


def throttled(
    stable: StableViews,
    view: str,
    shown: Table,
    columns: Collection[str],
    summed: Collection[str],
) -> Table:
    """Copy columns of a stable view some times a second."""
    clock = time_table(f"PT{EVERY}s", _begin()).view("tg_tick=0L")
    when = merge([stable.build_shown(view).view("tg_tick=Build"), clock])
    # Deephaven makes no view of a table whose parts may be taken away.
    others = [c for c in shown.column_names if c not in columns and c != GENERATION]
    chosen = shown.drop_columns(others) if others else shown
    # Deephaven never reports the removal of rows that such a snapshot was made with, so totals of
    # it would count them for ever: it is made of nothing, and gets its rows afterwards.
    parts = input_table(init_table=empty_table(0).update(["Part=0L", NO_TABLE]), key_cols=["Part"])
    followed = merged(parts, ["Part"], chosen)
    copy = followed.snapshot_when(when, initial=True, incremental=True).drop_columns("tg_tick")
    parts.add(with_tables([long_col("Part", [0])], [chosen]))
    return copy.update([decimal(exact(name), name) for name in sorted(summed)]) if summed else copy


def recent(slices: Table, seconds: int) -> Table:
    """Keep the slices of time that begin in the last seconds, as the clock goes on."""
    inside = time_window(slices, "bucket", seconds * _NANOS, "tg_inside")
    return inside.where("tg_inside").drop_columns("tg_inside")


def _begin() -> datetime:
    """Return when a clock begins: in its turn, whenever it is made."""
    now = datetime.now(UTC).timestamp()
    return datetime.fromtimestamp((now // EVERY + 1 + next(_turns)) * EVERY, UTC)

"""Window: slices of time added up over the last seconds, up to now.

It falls as time passes, with no new record: a slice counts while its beginning is less than `over`
ago. State: one row for each group and slice of the bucket view, and one for each group here. No
group is there without a slice in the window.
"""

from __future__ import annotations

from collections.abc import Hashable

from deephaven import agg
from deephaven.agg import Aggregation
from deephaven.table import Table

from tidegrid.contract.declaration.types import Buckets, Window
from tidegrid.tables.ingest import GENERATION
from tidegrid.tables.operators.rows import (
    Rows,
    blamed_on,
    column_formulas,
    double,
    exact,
    filtered,
    finished,
    with_all,
)
from tidegrid.tables.operators.shared import Shared


def groups(screen: Window, buckets: Buckets) -> tuple[str, ...]:
    """Return what the rows of a window are grouped by."""
    by = screen.by or buckets.by
    return by if not screen.rollup or screen.rollup in by else (*by, screen.rollup)


def window(screen: Window, buckets: Buckets, slices: Rows, shared: Shared) -> Table:
    """Return the rows of a window over slices that are recent enough."""
    by = groups(screen, buckets)

    def figures(columns: tuple[str, ...]) -> Table:
        key: Hashable = ("figures", slices.key, screen.where, columns, repr(screen.columns))
        return shared.get(key, lambda: _figures(screen, buckets, slices, columns, shared))

    if not screen.rollup:
        return finished(figures(by), screen)
    total = figures(tuple(name for name in by if name != screen.rollup))
    return finished(with_all(total, figures(by), screen.rollup), screen)


def _figures(
    screen: Window, buckets: Buckets, slices: Rows, by: tuple[str, ...], shared: Shared
) -> Table:
    rows = shared.get(
        ("sums", slices.key, screen.where),
        lambda: _ordered(filtered(slices.table, screen, "where"), buckets).agg_by(
            _sums(buckets, slices=True), by=[*buckets.by, GENERATION]
        ),
    )
    if set(by) != set(buckets.by):
        of_fewer = ("sums", slices.key, screen.where, by)
        every = rows
        rows = shared.get(of_fewer, lambda: every.agg_by(_sums(buckets), by=[*by, GENERATION]))
    count = [buckets.count] if buckets.count else []
    plain = [*by, *count, *buckets.sum, *buckets.min, *buckets.max, *buckets.first, *buckets.last]
    shown = [double(n, exact(n)) if n in buckets.sum else n for n in plain]
    added = column_formulas(screen.columns, screen, "columns", plain)
    with blamed_on(f"screens.{screen.name}.columns"):
        # No view: what is found by its time lies in the table of slices, which may let go of it.
        return rows.select([*shown, *added, GENERATION])


def _ordered(slices: Table, buckets: Buckets) -> Table:
    """Add what firsts are found by: their time, in which one that is not there comes last."""
    return slices.update_view(
        [
            f"{_first(name)} = isNull({name}Ts) ? Long.MAX_VALUE : epochNanos({name}Ts)"
            for name in buckets.first
        ]
    )


def _sums(buckets: Buckets, *, slices: bool = False) -> list[Aggregation]:
    """Add slices or groups up; what is first and last is told by its own time.

    In the slices of one group no two times are the same.
    """
    added = [*([buckets.count] if buckets.count else []), *(exact(n) for n in buckets.sum)]
    found = [agg.sum_(added)] if added else []
    found += [agg.min_(list(buckets.min))] if buckets.min else []
    found += [agg.max_(list(buckets.max))] if buckets.max else []
    picks = [(agg.sorted_first, name, _first(name)) for name in buckets.first]
    picks += [(agg.sorted_last, name, f"{name}Ts") for name in buckets.last]
    for pick, name, when in picks:
        order = [when] if slices else [when, f"{name}Tie"]
        # Its hints say one column to order by; it takes several.
        found.append(pick(order, [name, when, f"{name}Tie"]))  # type: ignore[arg-type]
    return found


def _first(name: str) -> str:
    return f"tg_{name}_first"

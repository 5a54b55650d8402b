"""Totals: sums and counts of a table's rows, by group.

A sum of nothing is empty, and so is one of values that are all missing. Sums of doubles are exact:
what has left keeps no trace. `rollup` adds rows named `All` over a column; a row without a value in
it is in those only. Without `by` there is always one row. State: one row for each group. Totals of
slices of time come in the order of time.
"""

from __future__ import annotations

from deephaven import agg
from deephaven.table import Table

from tidegrid.contract.declaration.types import Totals
from tidegrid.tables.ingest import GENERATION
from tidegrid.tables.operators.rows import (
    Rows,
    blamed_on,
    column_formulas,
    decimal,
    double,
    exact,
    filtered,
    finished,
    is_double,
    with_all,
)

_COUNT = "tg_count"


def groups(screen: Totals) -> tuple[str, ...]:
    """Return what tells the rows of totals apart."""
    rollup = (screen.rollup,) if screen.rollup and screen.rollup not in screen.by else ()
    return (*rollup, *screen.by)


def totals(screen: Totals, of: Rows) -> Table:
    """Return the totals of a table."""
    rows, summed = _marked(filtered(of.table, screen, "where"), screen)
    by = list(groups(screen))
    each = rows.agg_by(
        [*([agg.sum_(list(summed))] if summed else []), agg.count_(_COUNT)],
        by=[*by, GENERATION],
    )
    if screen.rollup:
        rest = [name for name in by if name != screen.rollup]
        made = with_all(_over(each, rest, summed), each, screen.rollup)
    else:
        made = each if by else _over(each, by, summed)
    shown = [
        double(name, column) if exactly else f"{name}={column}"
        for column, (name, exactly) in summed.items()
    ]
    shown += [f"{screen.count}={_COUNT}"] if screen.count else []
    known = [*by, *screen.sum, *([screen.count] if screen.count else [])]
    added = column_formulas(screen.columns, screen, "columns", known)
    with blamed_on(f"screens.{screen.name}.columns"):
        made = made.select([*by, *shown, *added, GENERATION])
    made = finished(made, screen)
    return made.sort("bucket") if "bucket" in screen.by else made


def _over(each: Table, by: list[str], summed: dict[str, tuple[str, bool]]) -> Table:
    """Add groups up; into one row that is always there if there is nothing to group by."""
    sums = agg.sum_([*summed, _COUNT])
    if by:
        return each.agg_by(sums, by=[*by, GENERATION])
    one = each.agg_by([sums, agg.max_(GENERATION)], by=[], preserve_empty=True)
    return one.update_view(f"{_COUNT}=isNull({_COUNT}) ? 0L : {_COUNT}")


def _marked(rows: Table, screen: Totals) -> tuple[Table, dict[str, tuple[str, bool]]]:
    """Return rows with a column for each sum; and of each, its name and whether it is a decimal."""
    formulas = column_formulas(screen.sum, screen, "sum", rows.column_names)
    summed: dict[str, tuple[str, bool]] = {}
    for (name, text), formula in zip(screen.sum.items(), formulas, strict=True):
        column = f"tg_sum_{name}"
        if exact(text) in rows.column_names:
            rows = rows.update_view(f"{column}={exact(text)}")
            summed[column] = name, True
            continue
        with blamed_on(f"screens.{screen.name}.sum.{name}"):
            rows = rows.update_view(f"tg_sum_{formula}")
        exactly = is_double(rows, column)
        if exactly:
            rows = rows.update_view(decimal(column, column))
        summed[column] = name, exactly
    return rows, summed

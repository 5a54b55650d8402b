"""Top: the rows with the highest values of a column, and with `both` the lowest below them.

A row without a value is not in it. Rows are in the order of their values; with `per`, each value of
that column has its own. State: an order of all rows it is made of, with the columns that are added.
Bound: `rows` for each side, and for each value of `per`. A row is on one side only.
"""

from __future__ import annotations

from deephaven import merge
from deephaven.table import Table

from tidegrid.contract.declaration.types import Top
from tidegrid.tables.operators.rows import Rows, filtered, finished, with_columns


def top(screen: Top, of: Rows) -> Table:
    """Return the highest rows of a table, and the lowest if they are asked for."""
    rows = with_columns(filtered(of.table, screen, "where"), screen)
    known = rows.where(f"!isNull({screen.by})")
    if not screen.both:
        return finished(_first(known.sort_descending(screen.by), screen), screen)
    if screen.by_sign:
        high = _first(known.where(f"{screen.by} > 0").sort_descending(screen.by), screen)
        low = _first(known.where(f"{screen.by} < 0").sort(screen.by), screen)
    else:
        ranked = known.sort_descending(screen.by)
        high = _first(ranked, screen)
        last = ranked.tail_by(screen.rows, screen.per) if screen.per else ranked.tail(screen.rows)
        low = last.where_not_in(high, list(of.unique)).sort(screen.by)
    if screen.side:
        high = high.update_view(f"{screen.side}=`up`")
        low = low.update_view(f"{screen.side}=`down`")
    return finished(merge([high, low]), screen)


def _first(ranked: Table, screen: Top) -> Table:
    return ranked.head_by(screen.rows, screen.per) if screen.per else ranked.head(screen.rows)

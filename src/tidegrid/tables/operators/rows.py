"""Rows: the tables that operators take and make, and the formulas that are applied to them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from deephaven import DHError, dtypes, merge
from deephaven.table import Table

from tidegrid.contract.declaration import DeclarationError, Problem
from tidegrid.contract.declaration.problems import below
from tidegrid.contract.declaration.types import Screen
from tidegrid.tables import formulas
from tidegrid.tables.ingest import GENERATION

#: What the total over a column is called in it. A value that is really called so is in that total
#: only.
ALL = "All"
#: What is before the name of a column that has the same value as a decimal.
_EXACT = "tg_exact_"


@dataclass(frozen=True)
class Rows:
    """A table to make screens of."""

    #: What it is: two of the same key are the same table.
    key: Hashable
    table: Table
    #: The columns that tell its rows apart.
    unique: tuple[str, ...]


def filtered(table: Table, screen: Screen, word: str) -> Table:
    """Return the rows that pass the `where` or the `having` of a screen."""
    text: str = getattr(screen, word)
    if not text:
        return table
    place = below(below("screens", screen.name), word)
    if problems := formulas.unknown_columns(text, place, table.column_names):
        raise DeclarationError(problems)
    with blamed_on(place):
        return table.where(text)


def column_formulas(
    found: Mapping[str, str], screen: Screen, word: str, known: Sequence[str]
) -> list[str]:
    """Return formulas as Deephaven takes them; each may name what is known and those before it."""
    there, problems = list(known), []
    for name, text in found.items():
        place = below(below(below("screens", screen.name), word), name)
        problems += formulas.unknown_columns(text, place, there)
        there.append(name)
    if problems:
        raise DeclarationError(problems)
    return [f"{name}={text}" for name, text in found.items()]


def with_columns(table: Table, screen: Screen) -> Table:
    """Return a table with the columns that a screen adds, in their order.

    They are worked out here and not where somebody looks: what a formula cannot do has to end this
    table, which is seen and said, and not every viewer's reading of it.
    """
    added = column_formulas(screen.columns, screen, "columns", table.column_names)
    with blamed_on(f"screens.{screen.name}.columns"):
        return table.update(added) if added else table


def finished(table: Table, screen: Screen) -> Table:
    """Return the rows and columns that a screen shows; which generation they are of comes last."""
    rows = filtered(table, screen, "having")
    shown = screen.show or [n for n in rows.column_names if not n.startswith("tg_")]
    return rows.view([*(n for n in shown if n != GENERATION), GENERATION])


@contextmanager
def blamed_on(place: str) -> Iterator[None]:
    """Raise what Deephaven has against something as a problem of that place in a declaration."""
    try:
        yield
    except DHError as e:
        lines = [line.strip() for line in e.root_cause.splitlines() if line.strip()]
        problem = Problem("", place, f"Deephaven refuses it: {' '.join(lines[:2])}")
        raise DeclarationError([problem]) from e


def is_double(table: Table, name: str) -> bool:
    """Whether a column is of doubles."""
    return any(c.name == name and c.data_type == dtypes.double for c in table.columns)


def exact(name: str) -> str:
    """Return the name of the column that has another as a decimal.

    Sums are of decimals: a running sum of doubles keeps a trace of what has left it.
    """
    return f"{_EXACT}{name}"


def decimal(name: str, source: str) -> str:
    """Return the formula of a double as a decimal; what is no number is nothing."""
    wrong = f"isNull({source}) || isNaN({source}) || isInf({source})"
    return f"{name}={wrong} ? null : java.math.BigDecimal.valueOf({source})"


def double(name: str, source: str) -> str:
    """Return the formula of a decimal as a double."""
    return f"{name}=isNull({source}) ? NULL_DOUBLE : {source}.doubleValue()"


def with_all(total: Table, each: Table, column: str) -> Table:
    """Return totals over a column, as rows where it is `All`, before the rows of each value."""
    named = total.update_view(f"{column}=`{ALL}`")
    own = each.where(f"!isNull({column}) && !`{ALL}`.equals({column})")
    return merge([t.view(each.column_names) for t in (named, own)])

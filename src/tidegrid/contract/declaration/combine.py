"""How the rows of a table belong together: which are over all, and what several make as one."""

from __future__ import annotations

from collections.abc import Mapping

from tidegrid.contract.declaration.tables import Shape, measures
from tidegrid.contract.declaration.types import Buckets, Flow, JoinTables, Top, Totals, Window

#: What makes one value of those of several rows, in a bucket view and what is made of it.
_WORDS = {"count": "sum", "sum": "sum", "min": "min", "max": "max"}


def rollup_of(flow: Flow, name: str, known: Mapping[str, Shape]) -> str:
    """Return the column of a table in which rows are called `All`; empty if there are none."""
    return next((c for c in _rollups(flow, name) if c in known[name].columns), "")


def is_one_row(flow: Flow, name: str, known: Mapping[str, Shape]) -> bool:
    """Return whether a table has at most one row, or one that is called `All`."""
    table, key = flow.screens.get(name), known[name].key
    if isinstance(table, Top) and table.rows == 1 and not table.both and not table.per:
        return True
    return key is not None and set(key) <= {rollup_of(flow, name, known)}


def combined(flow: Flow, name: str, known: Mapping[str, Shape]) -> dict[str, str]:
    """Return the columns of a table whose values can be put together: `sum`, `min` or `max`.

    They can for any of its rows, and say the same of all of them together. Rows that are called
    `All` are no such rows: where they cannot be told from the others, nothing can be put together.
    """
    if len(_rollups(flow, name)) > bool(rollup_of(flow, name, known)):
        return {}
    there = known[name].columns
    return {column: word for column, word in _words(flow, name, known).items() if column in there}


def _words(flow: Flow, name: str, known: Mapping[str, Shape]) -> dict[str, str]:
    table = flow.screens.get(name) or flow.views.get(name)
    if isinstance(table, Buckets):
        return {c: _WORDS[key] for key, c, _ in measures(table) if key in _WORDS}
    if isinstance(table, Totals):
        found = dict.fromkeys([*table.sum, *filter(None, (table.count,))], "sum")
    elif isinstance(table, Window | Top):
        found = _words(flow, table.of, known)
    elif isinstance(table, JoinTables):
        # A row of the second may stand beside several of the first, unless `on` tells those apart.
        key = known[table.left].key
        unique = key is not None and set(key) <= set(table.on)
        found = _words(flow, table.left, known)
        found |= _words(flow, table.right, known) if unique else {}
        found = {column: word for column, word in found.items() if column not in table.on}
    else:
        return {}
    return {column: word for column, word in found.items() if column not in table.columns}


def _rollups(flow: Flow, name: str) -> tuple[str, ...]:
    """Return all columns in which a table has rows called `All`, also those that it hides."""
    table = flow.screens.get(name)
    if isinstance(table, Window | Totals):
        own = (table.rollup,) if table.rollup else ()
        below = _rollups(flow, table.of) if isinstance(table, Totals) else ()
        return tuple(dict.fromkeys((*own, *(c for c in below if c in table.by))))
    if isinstance(table, Top):
        return _rollups(flow, table.of)
    if isinstance(table, JoinTables):
        right = _rollups(flow, table.right) if table.full else ()
        return tuple(dict.fromkeys((*_rollups(flow, table.left), *right)))
    return ()

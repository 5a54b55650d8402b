"""The tables' rules in plain Python: changelog rows become what viewers see."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tidegrid.contract.views import SHOWS, SLOT, Layout, View

Row = Mapping[str, Any]


def shown(layout: Layout, name: str, rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Return the rows of a view, of which `rows` are those of its changelog, in any order."""
    view = layout.view(name)
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        if view.letter and view.letter not in row.get(SHOWS, ""):
            continue
        full = {**row, SLOT: row["offset"] % view.keep} if view.keep else dict(row)
        known = found.setdefault(tuple(full.get(k) for k in view.key), {})
        known.update({k: full.get(k) for k in view.key})
        for part in view.parts:
            version = [_number(full.get(v)) for v in part.version]
            if version >= [_number(known.get(v)) for v in part.version]:
                known.update({c: full.get(c) for c in part.columns})
    alive = [row for row in found.values() if _is_shown(view, row)]
    if view.alone:
        parents = [k for k in view.key if k not in view.alone]
        with_child = {tuple(r[k] for k in parents) for r in alive if not _is_alone(view, r)}
        alive = [
            r
            for r in alive
            if not _is_alone(view, r) or tuple(r[k] for k in parents) not in with_child
        ]
    return [{public: row.get(wire) for public, wire in view.columns.items()} for row in alive]


def _number(value: Any) -> int:
    return -(2**63) if value is None else int(value)


def _is_shown(view: View, row: Row) -> bool:
    gone = any(row.get(column) for column in view.gone)
    return not gone and all(row.get(column) is not None for column in view.needs)


def _is_alone(view: View, row: Row) -> bool:
    return all(row.get(column) is None for column in view.alone)

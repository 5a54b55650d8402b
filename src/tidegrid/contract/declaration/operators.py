"""Reading the views and screens of a flow file: each has exactly one operator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar, get_args

from tidegrid.contract.declaration.problems import listed, nearest
from tidegrid.contract.declaration.section import Section
from tidegrid.contract.declaration.tables import REST
from tidegrid.contract.declaration.types import (
    AsOf,
    Buckets,
    Events,
    How,
    Join,
    JoinTables,
    Latest,
    Screen,
    Top,
    Totals,
    View,
    Window,
)

_Table = TypeVar("_Table")
_Reader = Callable[[Section, str], Any]
_DEEPEST = 1000
_MOST_ROWS = 10_000

_NAME: _Reader = partial(Section.text, needed=True)
_NAMES: _Reader = partial(Section.names, needed=True)
_TIME: _Reader = partial(Section.seconds, default=1, needed=True)
_KEEP: _Reader = partial(Section.number, default=1000)


@dataclass(frozen=True)
class _Operator(Generic[_Table]):
    """What a table is made by: its type, and how each of its keys is read."""

    make: Callable[..., _Table]
    keys: Mapping[str, _Reader]
    #: Whether it is of two tables or sources; else it is of one.
    of_two: bool = False

    def read(self, name: str, word: str, table: Section) -> _Table:
        """Return what a table says, with what it is of before the rest."""
        of = table.pair(word) if self.of_two else (_NAME(table, word),)
        return self.make(name, *of, **{key: read(table, key) for key, read in self.keys.items()})


_OF_TABLES: Mapping[str, _Reader] = {"show": Section.names, "title": Section.text}
_OF_VIEWS: Mapping[str, _Reader] = {"hide": Section.names, **_OF_TABLES}
_OF_SCREENS: Mapping[str, _Reader] = {
    "where": Section.expression,
    "columns": Section.expressions,
    "having": Section.expression,
    "hidden": Section.flag,
    **_OF_TABLES,
}
_JOIN_TABLES: Mapping[str, _Reader] = {"on": _NAMES, "clock": Section.text, **_OF_SCREENS}
_VIEWS: Mapping[str, _Operator[View]] = {
    "latest": _Operator(Latest, {"lookup": Section.text, **_OF_VIEWS}),
    "events": _Operator(Events, {"keep": _KEEP, **_OF_VIEWS}),
    "join": _Operator(
        Join,
        {"how": partial(Section.choice, known=get_args(How), default="left"), **_OF_VIEWS},
        of_two=True,
    ),
    "as_of": _Operator(
        AsOf,
        {
            "depth": partial(Section.number, default=16, most=_DEEPEST),
            "keep": _KEEP,
            "parent_time": Section.text,
            **_OF_VIEWS,
        },
        of_two=True,
    ),
    "buckets": _Operator(
        Buckets,
        {
            "by": _NAMES,
            "every": _TIME,
            "keep": _TIME,
            "where": Section.expression,
            "count": Section.text,
            **dict.fromkeys(("sum", "min", "max", "first", "last"), Section.measures),
            **_OF_VIEWS,
        },
    ),
}
_SCREENS: Mapping[str, _Operator[Screen]] = {
    "window": _Operator(
        Window,
        {"over": _TIME, "by": Section.names, "rollup": Section.text, **_OF_SCREENS},
    ),
    "top": _Operator(
        Top,
        {
            "by": _NAME,
            "rows": partial(Section.number, default=20, most=_MOST_ROWS),
            "both": Section.flag,
            "per": Section.text,
            "side": Section.text,
            "by_sign": Section.flag,
            **_OF_SCREENS,
        },
    ),
    "totals": _Operator(
        Totals,
        {
            "by": Section.names,
            "rollup": Section.text,
            "sum": Section.measures,
            "count": Section.text,
            **_OF_SCREENS,
        },
    ),
    "left_join": _Operator(JoinTables, _JOIN_TABLES, of_two=True),
    "full_join": _Operator(partial(JoinTables, full=True), _JOIN_TABLES, of_two=True),
}


def view(name: str, table: Section) -> View | None:
    """Return what a `[views.NAME]` says; nothing if it has not one operator."""
    found = _one(_VIEWS, name, table)
    if found and found.hide and found.show and REST not in found.show:
        what = f"{listed(found.hide)} would not be shown anyway: `show` names all columns there are"
        table.wrong("hide", what, "leave it out, or add '*' to show")
    return found


def screen(name: str, table: Section) -> Screen | None:
    """Return what a `[screens.NAME]` says; nothing if it has not one operator."""
    return _one(_SCREENS, name, table)


def _one(operators: Mapping[str, _Operator[_Table]], name: str, table: Section) -> _Table | None:
    named = [key for key in operators if key in table]
    if len(named) == 1:
        found = operators[named[0]].read(name, named[0], table)
        table.unknown()
        return found
    place, words = table.place, ", ".join(operators)
    if named:
        table.problems.add(place, f"{' and '.join(named)} are two operators", "keep one of them")
    else:
        near = [n for n in (nearest(k, operators) for k in table.values) if n.startswith("did")]
        table.problems.add(place, f"has no operator: one of {words}", near[0] if near else "")
    return None

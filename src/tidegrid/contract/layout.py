"""Layout: the changelogs and views of a flow, made of its declaration alone."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import cast

from tidegrid.contract.declaration.tables import measures, value_columns
from tidegrid.contract.declaration.types import AsOf, Buckets, Events, Flow, Join, Latest, Source
from tidegrid.contract.views import (
    ALONE_GONE,
    CAUSE,
    MERGED,
    REJECTS,
    RING,
    SHOWS,
    SLOT,
    Changelog,
    ColumnType,
    Family,
    Layout,
    Part,
    Types,
    View,
)

_EVENT_KEY = ("topic", "partition", SLOT)
_PLACE = ("topic", "partition", "offset")
_LETTERS = string.ascii_letters + string.digits


def layout(flow: Flow, types: Types) -> Layout:
    """Return how the rows of a flow look; `types` are those of its derived columns."""
    families = tuple(_families(flow))
    changelogs: list[Changelog] = []
    views: dict[str, View] = {}
    for family in families:
        name = flow.name if len(families) == 1 else family.parent
        rows = _Rows(flow, family, name, types)
        changelogs.append(rows.changelog())
        views.update(_lettered(rows.views()))
    for view in flow.views.values():
        if isinstance(view, Buckets):
            changelogs.append(_buckets(flow, view, types))
            views[view.name] = _bucket_view(view, changelogs[-1])
    ordered = tuple(views[name] for name in flow.views)
    return Layout(families, (*changelogs, REJECTS), (*ordered, _rejects(flow)))


def version(source: Source, family: Family) -> tuple[str, ...]:
    """Return the columns that order the records of a source."""
    when = source.time[0] if source.time else time_column(source, family)
    if source.time and source.deletes and source.name == family.parent and family.children:
        # A deleted parent shows no time on an event as of it, and orders the event all the same.
        when = f"tg_{source.name}_at"
    return when, record_id(source, family)


def time_column(source: Source, family: Family) -> str:
    """Return the column with the Kafka timestamp of a source's record."""
    return f"tg_{source.name}_ts" if family.children else "ts"


def record_id(source: Source, family: Family) -> str:
    """Return the column that no two records of a source's topic share."""
    return f"tg_{source.name}_id" if family.children else "tg_id"


def gone_column(source: Source, family: Family) -> str:
    """Return the column that is true when a record takes its row away."""
    return f"tg_{source.name}_gone" if family.children else "tg_gone"


def events_keep(flow: Flow, source: str) -> int:
    """Return how many slots the event lists of a source have; 0 if it has none."""
    lengths = (
        v.keep
        for v in flow.views.values()
        if (isinstance(v, Events) and v.source == source)
        or (isinstance(v, AsOf) and v.child == source)
    )
    return max(lengths, default=0)


def depth(flow: Flow, parent: str) -> int:
    """Return how many versions and events the as-of joins of a parent look back over."""
    found = [v.depth for v in flow.views.values() if isinstance(v, AsOf) and v.parent == parent]
    return max(found, default=1)


def ring(view: Buckets) -> int:
    """Return how many slices of a group are kept: some more than the window has."""
    return -(-(view.keep + 300) // view.every) + 1


def _families(flow: Flow) -> Iterator[Family]:
    joins = [v for v in flow.views.values() if isinstance(v, Join | AsOf)]
    children = {v.child for v in joins}
    for name in flow.sources:
        if name not in children:
            mine = dict.fromkeys(v.child for v in joins if v.parent == name)
            yield Family(name, tuple(mine))


def _lettered(views: Iterable[View]) -> dict[str, View]:
    """Give views that share their rows one letter."""
    letters: dict[tuple[object, ...], str] = {}
    found = {}
    for view in views:
        letter = letters.setdefault(view.kept, _LETTERS[len(letters)])
        found[view.name] = replace(view, letter=letter)
    return found


def _value_columns(flow: Flow, source: Source, types: Types) -> dict[str, ColumnType]:
    """Return what a record of a source has to show, with the types that rows have."""
    found: dict[str, ColumnType] = {}
    for name, kind in value_columns(flow, source).items():
        known = types[source.name][name] if name in source.columns else cast(ColumnType, kind)
        found[name] = "nanos" if kind == "time" else known
    return found


@dataclass(frozen=True)
class _Rows:
    """The rows of a family of sources, which share a changelog."""

    flow: Flow
    family: Family
    name: str
    types: Types

    def changelog(self) -> Changelog:
        columns: dict[str, ColumnType] = {SHOWS: "string"}
        for name in self.family.sources:
            source = self.flow.sources[name]
            columns.update(_value_columns(self.flow, source, self.types))
            columns[time_column(source, self.family)] = "time"
            columns[record_id(source, self.family)] = "long"
            columns.setdefault(version(source, self.family)[0], "nanos")
            columns.update(dict.fromkeys(self._gone(source), "boolean"))
        if self.family.children:
            columns[ALONE_GONE] = "boolean"
        return Changelog(self.name, {**columns, **CAUSE})

    def views(self) -> Iterator[View]:
        for view in self.flow.views.values():
            if isinstance(view, Latest) and view.source in self.family.sources:
                yield self._latest(view)
            elif isinstance(view, Events) and view.source in self.family.sources:
                yield self._events(view)
            elif isinstance(view, Join) and view.parent == self.family.parent:
                yield self._join(view)
            elif isinstance(view, AsOf) and view.parent == self.family.parent:
                yield self._as_of(view)

    def _values(self, source: Source, *, keyless: bool = False) -> list[str]:
        found = _value_columns(self.flow, source, self.types)
        return [n for n in found if not keyless or n not in source.key]

    def _gone(self, source: Source) -> tuple[str, ...]:
        return (gone_column(source, self.family),) if source.deletes else ()

    def _latest(self, view: Latest) -> View:
        source = self.flow.sources[view.source]
        stamp, gone = time_column(source, self.family), self._gone(source)
        order = version(source, self.family)
        held = (*self._values(source, keyless=True), *gone, *order, stamp, *_PLACE)
        return View(
            view.name,
            self.name,
            _chosen({**_same(self._values(source)), **_cause(stamp)}, view.show),
            key=source.key,
            parts=(Part(_once(held, source.key), order),),
            gone=gone,
            subject=source.key[0],
        )

    def _events(self, view: Events) -> View:
        source = self.flow.sources[view.source]
        values = self._values(source)
        # Rows with the parent as of the event are told apart by it, and serve this list too.
        as_of = [
            v
            for v in self.flow.views.values()
            if isinstance(v, AsOf) and v.child == view.source and v.keep == view.keep
        ]
        part = (
            self._as_of_part(as_of[0])
            if as_of
            else Part(_once((*values, "ts", "offset"), _EVENT_KEY), ("offset",))
        )
        return View(
            view.name,
            self.name,
            _chosen({**_same(values), **_cause("ts")}, view.show),
            key=_EVENT_KEY,
            parts=(part,),
            subject=source.key[0],
            keep=view.keep,
        )

    def _as_of_part(self, view: AsOf) -> Part:
        child, parent = self.flow.sources[view.child], self.flow.sources[view.parent]
        order = version(parent, self.family)
        others = (*self._values(parent, keyless=True), *order, time_column(parent, self.family))
        held = (*self._values(child), "ts", *others, "offset")
        return Part(_once(held, _EVENT_KEY), ("offset", *order))

    def _as_of(self, view: AsOf) -> View:
        child, parent = self.flow.sources[view.child], self.flow.sources[view.parent]
        shown = _same((*self._values(child), "ts", *self._values(parent, keyless=True)))
        if view.parent_time:
            shown[view.parent_time] = time_column(parent, self.family)
        return View(
            view.name,
            self.name,
            _chosen({**shown, **_same(_PLACE)}, view.show),
            key=_EVENT_KEY,
            parts=(self._as_of_part(view),),
            subject=child.key[0],
            keep=view.keep,
        )

    def _join(self, view: Join) -> View:
        child, parent = self.flow.sources[view.child], self.flow.sources[view.parent]
        of_parent = self._values(parent, keyless=True)
        of_child = self._values(child, keyless=True)
        rest = tuple(n for n in child.key if n not in parent.key)
        # Where children can go, only the tables know whether one is left; else the first one takes
        # the row of its parent alone away for good.
        alone_gone = (ALONE_GONE,) if view.how == "left" and not child.deletes else ()
        parent_gone, child_gone = self._gone(parent), self._gone(child)
        parent_order, child_order = version(parent, self.family), version(child, self.family)
        parts = (
            Part(_once((*alone_gone, *parent_gone, *of_parent, *parent_order), ()), parent_order),
            Part(_once((*child_gone, *of_child, *child_order), ()), child_order),
            Part(("ts", *_PLACE), ("ts", "offset")),
        )
        shown = {**_same((*parent.key, *of_parent, *rest, *of_child)), **_cause("ts")}
        return View(
            view.name,
            self.name,
            _chosen(shown, view.show),
            key=(*parent.key, *rest),
            parts=parts,
            needs=(record_id(parent, self.family),),
            gone=(*alone_gone, *parent_gone, *child_gone),
            subject=parent.key[0],
            alone=rest if view.how == "left" and child.deletes else (),
        )


def _buckets(flow: Flow, view: Buckets, types: Types) -> Changelog:
    source = flow.sources[view.source]
    values = _value_columns(flow, source, types)
    columns: dict[str, ColumnType] = {n: values[n] for n in view.by}
    columns.update({RING: "int", "bucket": "time", MERGED: "long"})
    for _, name, kind in measures(view):
        columns[name] = "nanos" if kind == "time" else cast(ColumnType, kind)
    return Changelog(view.name, {**columns, **CAUSE})


def _bucket_view(view: Buckets, changelog: Changelog) -> View:
    held = [n for n in changelog.columns if n not in (*view.by, RING)]
    shown = [n for n in changelog.columns if n not in (RING, MERGED)]
    return View(
        view.name,
        changelog.name,
        _chosen(_same(shown), view.show),
        # A ring: the slice of one turn later takes the place of this one.
        key=(*view.by, RING),
        parts=(Part(tuple(held), ("bucket", MERGED)),),
        subject=view.by[0],
        window=view.keep,
    )


def _rejects(flow: Flow) -> View:
    return View(
        REJECTS.name,
        REJECTS.name,
        _same(("topic", "partition", "offset", "ts", "reason", "value")),
        key=_EVENT_KEY,
        parts=(Part(("ts", "reason", "value", "offset"), ("offset",)),),
        subject="reason",
        keep=flow.rejects_keep,
    )


def _same(names: Iterable[str]) -> dict[str, str]:
    return {name: name for name in names}


def _cause(stamp: str) -> dict[str, str]:
    return {"ts": stamp, **_same(_PLACE)}


def _once(names: Iterable[str], without: Iterable[str]) -> tuple[str, ...]:
    return tuple(n for n in dict.fromkeys(names) if n not in set(without))


def _chosen(columns: Mapping[str, str], show: tuple[str, ...]) -> dict[str, str]:
    """Return the columns to show, with where a row comes from behind them."""
    if not show:
        return dict(columns)
    names = dict.fromkeys((*show, *CAUSE))
    return {name: columns[name] for name in names}

"""Plan: one generation's declaration, ready to be written as a query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tidegrid.contract.declaration.tables import lookups_of
from tidegrid.contract.declaration.types import AsOf, Events, Flow, Join, Latest, Source, View
from tidegrid.contract.layout import events_keep, layout
from tidegrid.contract.receipts import Offsets
from tidegrid.contract.views import Layout, Types
from tidegrid.pipeline import fields, sql

#: Slots of records that are in no event list, so that their rows have a bounded number of keys.
_SLOTS = 1000


@dataclass(frozen=True)
class Plan:
    """What one generation reads and writes."""

    flow: Flow
    types: Types
    #: The declared expressions as SQL over the query's own columns, by place.
    expressions: Mapping[tuple[str, ...], str]
    #: Topic by changelog name.
    out: Mapping[str, str]
    max_value_bytes: int
    #: When the generation was begun, in epoch milliseconds.
    born: int
    #: Of a bulk read that goes on from a checkpoint, where it begins; else nothing was read before.
    since: Offsets = field(default_factory=dict)

    @cached_property
    def layout(self) -> Layout:
        """The changelogs and views of the flow."""
        return layout(self.flow, self.types)

    @property
    def sources(self) -> list[Source]:
        """The sources, in the order of their numbers."""
        return list(self.flow.sources.values())

    def number(self, source: str) -> int:
        """Return the number of a source in the query."""
        return list(self.flow.sources).index(source)

    def changelog_of(self, source: Source) -> str:
        """Return the topic that rows of a source go to."""
        families = self.layout.families
        place = next(n for n, f in enumerate(families) if source.name in f.sources)
        return self.out[self.layout.changelogs[place].name]

    def slots(self, source: str) -> int:
        """Return how many slots the events of a source have."""
        return events_keep(self.flow, source) or _SLOTS

    def expression(self, *place: str) -> str:
        """Return a declared expression as SQL; empty if there is none there."""
        return self.expressions.get(place, "")

    @property
    def used(self) -> str:
        """SQL for whether a record is used: a column of its own if that has to be worked out.

        If not it is written where it is asked for, since a step for it would copy every record.
        """
        filtered = any(self.expression("sources", s.name, "where") for s in self.sources)
        return "used" if filtered else "(reason IS NULL)"

    def values(self, source: Source) -> dict[str, str]:
        """Return SQL for each column that a record of a source has to show, by name."""
        struct = fields.of(source)
        found = {n: f"{struct}.{sql.name(n)}" for n in source.fields}
        if source.time:
            # It shows the record's time, also where the record has that elsewhere.
            found[source.time[0]] = "at"
        for name in source.columns:
            found[name] = f"{sql.name(f'more_{source.name}')}.{sql.name(name)}"
        for lookup in lookups_of(self.flow, source.name):
            for name in self.flow.lookups[lookup].columns:
                found[name] = f"{lookup_of(source, lookup)}.{sql.name(name)}"
        return found

    def was_read(self, record: str, source: Source) -> str:
        """Return whether a record was read before a bulk read went on; false if there is none."""
        begin = self.since.get(source.topic)
        if not begin:
            return "false"
        places = ", ".join(f"{begin.get(str(n), 0)}L" for n in range(1 + max(map(int, begin))))
        before = f"get(array({places}), {sql.partition(record)})"
        return f"coalesce({sql.offset(record)} < {before}, false)"

    def letters(self, kind: str, source: str) -> str:
        """Return the letters of the views of a kind over a source; of joins, over a parent."""
        views = [v.name for v in self.flow.views.values() if _is(v, kind, source)]
        return "".join(dict.fromkeys(self.layout.view(name).letter for name in views))

    def has(self, kind: str, source: str) -> bool:
        """Whether there is a view of a kind over a source; of joins, over a parent."""
        return any(_is(v, kind, source) for v in self.flow.views.values())


def lookup_of(source: Source, lookup: str) -> str:
    """Return the name that a lookup has in the query, for the records of a source."""
    return sql.name(f"lookup_{lookup}_{source.name}")


def _is(view: View, kind: str, source: str) -> bool:
    match kind:
        case "latest":
            return isinstance(view, Latest) and view.source == source
        case "events":
            listed = isinstance(view, Events) and view.source == source
            return listed or (isinstance(view, AsOf) and view.child == source)
        case "as_of":
            return isinstance(view, AsOf) and view.parent == source
        case _:
            return isinstance(view, Join) and view.parent == source

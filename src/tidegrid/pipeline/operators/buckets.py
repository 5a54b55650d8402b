"""`buckets`: counts, sums and the like per group and slice of event time.

Guarantees: a slice holds each record that counts once, whatever order they come in; a row is keyed
by its group and its place in a ring of slices, so everything is bounded.
State: the slices of the longest window and two minutes, which the watermark removes.
What callers get wrong: a record that is older than the window when it comes, or more than a minute
ahead of the clock, is in no slice.
"""

from __future__ import annotations

from collections.abc import Iterable

from tidegrid.contract.declaration.types import Buckets
from tidegrid.contract.layout import ring
from tidegrid.contract.views import MERGED, RING
from tidegrid.pipeline import sql
from tidegrid.pipeline.decode import AHEAD
from tidegrid.pipeline.plan import Plan

_KINDS = ("sum", "min", "max", "first", "last")


class Slices:
    """The bucket views of a flow: their measures share columns of the state."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.views = [v for v in plan.flow.views.values() if isinstance(v, Buckets)]

    @property
    def watermark(self) -> str:
        """How long after its slice a record may come."""
        return f"{max(v.keep for v in self.views) + 2 * AHEAD // 1000} seconds"

    @property
    def columns(self) -> dict[str, str]:
        """The columns of a group that hold measures of a record, and their types."""
        dated = "struct<at: bigint, id: bigint, value: double>"
        plain = {f"{k}_{n}": "double" for k in _KINDS[:3] for n in range(self._most(k))}
        stamped = {f"{k}_{n}": dated for k in _KINDS[3:] for n in range(self._most(k))}
        return {"bucket": "timestamp", **plain, **stamped}

    @property
    def state(self) -> dict[str, str]:
        """What is kept of each slice, and how it is made of its records."""
        merge = {"sum": "sum", "min": "min", "max": "max", "first": "min", "last": "max"}
        found = {c: f"{merge[c.partition('_')[0]]}({c})" for c in self.columns if c != "bucket"}
        groups = {f"by_{n}": f"last(by_{n})" for n in range(len(self.views))}
        return {"merged": "count(bucket)", **groups, **found}

    def groups(self, view: Buckets) -> tuple[str, dict[str, str]]:
        """Return whether a record counts for a view, and the group it then belongs to."""
        source = self._plan.flow.sources[view.source]
        values = self._plan.values(source)
        millis = 1000 * view.every
        oldest = f"(seen - {1000 * view.keep + AHEAD}) * {sql.NANOS_PER_MILLI}"
        newest = f"(seen + {AHEAD}) * {sql.NANOS_PER_MILLI}"
        counts = [f"source = {self._plan.number(source.name)}", self._plan.used, "NOT gone"]
        counts.append(f"at BETWEEN {oldest} AND {newest}")
        if where := self._plan.expression("views", view.name, "where"):
            counts.append(f"coalesce({where}, false)")
        slice_ = f"(at div {sql.NANOS_PER_MILLI} div {millis})"
        group = {
            "kind": f"'b{self.views.index(view)}'",
            "key": sql.key_text([values[n] for n in view.by], empty=True),
            f"by_{self.views.index(view)}": sql.struct({n: values[n] for n in view.by}),
            "bucket": f"timestamp_millis({slice_} * {millis})",
        }
        for kind in _KINDS:
            for n, name in enumerate(getattr(view, kind)):
                number = sql.finite(self._plan.expression("views", view.name, kind, name))
                stamped = (
                    f"CASE WHEN {number} IS NOT NULL THEN struct(at, id, {number} AS value) END"
                )
                group[f"{kind}_{n}"] = stamped if kind in ("first", "last") else number
        return " AND ".join(counts), group

    def row(self, view: Buckets) -> tuple[str, str]:
        """Return the Kafka key and the row of a slice."""
        begin = "(unix_millis(bucket))"
        place = f"(({begin} div {1000 * view.every}) % {ring(view)})"
        columns = {"bucket": begin, MERGED: "merged"}
        if view.count:
            columns[view.count] = "merged"
        for kind in _KINDS[:3]:
            columns |= {m: sql.finite(f"{kind}_{n}") for n, m in enumerate(getattr(view, kind))}
        for kind in _KINDS[3:]:
            for n, name in enumerate(getattr(view, kind)):
                stamped = f"{kind}_{n}"
                columns |= {name: f"{stamped}.value", f"{name}Ts": f"{stamped}.at"}
                columns[f"{name}Tie"] = f"{stamped}.id"
        # Of a group without any value its columns are empty.
        by = f"nullif({sql.inside(f'by_{self.views.index(view)}')}, '')"
        group = f"coalesce(concat(',', {by}), '')"
        topic = sql.json_text(self._plan.flow.sources[view.source].topic)
        cause = sql.cause("cause", topic, end=",")
        end = sql.to_the_end(sql.struct(columns))
        value = f"concat('{{\"{RING}\":', {place}, {group}, {cause}, {end})"
        return f"concat('b:', key, '/', {place})", value

    def _most(self, kind: str) -> int:
        return _longest(getattr(v, kind) for v in self.views)


def _longest(measures: Iterable[dict[str, str]]) -> int:
    return max(map(len, measures), default=0)

"""Ingest: the changelogs of one generation become tables that hold the newest row of each key.

Memory is bounded by the number of keys: a changelog is read as a blink table, which forgets each
row after one update cycle, and only the row with the highest version of a key is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deephaven import agg, dtypes, merge
from deephaven.stream.kafka import consumer
from deephaven.table import Table

from tidegrid.contract import topics
from tidegrid.contract.receipts import Offsets
from tidegrid.contract.views import (
    MERGED,
    REASON_DETAIL,
    REJECTS,
    RING,
    SHOWS,
    SLOT,
    Changelog,
    ColumnType,
    Layout,
    View,
)
from tidegrid.tables.arrivals import Arrivals
from tidegrid.tables.keyed import table_of

#: The column of each row with its generation, so that a page can change all its grids at once.
GENERATION = "generation"
#: The column of rejects that says which pipeline of a pair has written them.
COPY = "tg_copy"
_TYPES: dict[ColumnType, dtypes.DType] = {
    "string": dtypes.string,
    "int": dtypes.int32,
    "long": dtypes.int64,
    "double": dtypes.double,
    "boolean": dtypes.bool_,
    "time": dtypes.int64,
    "nanos": dtypes.int64,
}
_INSTANTS = {"time": "epochMillisToInstant", "nanos": "epochNanosToInstant"}


def streams(
    arrivals: Arrivals, flow: str, layout: Layout, generation: int, copies: Sequence[str]
) -> dict[str, Table]:
    """Read the changelogs of a generation from their beginning as blink tables.

    Of a pair both copies are read, and whichever row comes first counts: the other one, of the same
    version, changes nothing.
    """
    found = {}
    for changelog in layout.changelogs:
        columns = [(name, _TYPES[kind]) for name, kind in changelog.columns.items()]
        read = []
        for copy in copies:
            topic = topics.changelog(flow, generation, changelog.name, copy)
            rows = arrivals.blink(topic, consumer.json_spec(columns))
            of_rejects = changelog.name == REJECTS.name
            read.append(rows.update_view(f"{COPY}=`{copy}`") if of_rejects else rows)
        found[changelog.name] = merge(read) if len(read) > 1 else read[0]
    return found


def texts(client: Mapping[str, str], topic: str, last: int = 1000) -> Table:
    """Return the last records of a topic as they came: offset, time and text."""
    names = {
        "deephaven.partition.column.name": "",
        "deephaven.offset.column.name": "offset",
        "deephaven.timestamp.column.name": "at",
    }
    return consumer.consume(
        {**client, **names},
        topic,
        offsets=consumer.ALL_PARTITIONS_SEEK_TO_BEGINNING,
        key_spec=consumer.KeyValueSpec.IGNORE,
        value_spec=consumer.simple_spec("message", dtypes.string),
        table_type=consumer.TableType.ring(last),
    )


def newest(rows: Table, view: View) -> Table:
    """Keep, of each key of a view, the row with the highest version, part by part."""
    if view.letter:
        rows = rows.where(f"!isNull({SHOWS}) && {SHOWS}.contains(`{view.letter}`)")
    if view.keep:
        rows = rows.update_view(f"{SLOT}=(int)(offset % {view.keep})")
    # Its hints say one column to order by; it takes several.
    last = [agg.sorted_last(list(p.version), list(p.columns)) for p in view.parts]  # type: ignore[arg-type]
    kept = rows.agg_by(last, by=list(view.key))
    shown = [f"!isNull({name})" for name in view.needs]
    shown += [f"(isNull({name}) || !{name})" for name in view.gone]
    # One filter: each would look at the rows in a pass of its own.
    there = kept.where(" && ".join(shown)) if shown else kept
    return _without_alone(there, view) if view.alone else there


def _without_alone(rows: Table, view: View) -> Table:
    """Leave out the row of a parent alone for as long as it has a child."""
    parent = [name for name in view.key if name not in view.alone]
    child = view.alone[0]
    counted = rows.where(f"!isNull({child})").count_by("tg_children", by=parent)
    joined = rows.natural_join(counted, on=parent, joins="tg_children")
    return joined.where(f"!isNull({child}) || isNull(tg_children)")


def columns_of(view: View, layout: Layout) -> dict[str, tuple[str, ColumnType]]:
    """Return the columns of a view's table: what each shows of the changelog, and its type.

    Slices of time have all of them, whatever is shown: windows are made of those.
    """
    kinds = layout.changelog(view.changelog).columns
    shown = view.columns
    if view.window:
        shown = {name: name for name in kinds if name not in (RING, MERGED)}
    return {name: (source, kinds[source]) for name, source in shown.items()}


def shape(table: Table, view: View, layout: Layout, flow: str, generation: int) -> Table:
    """Give a table the columns of a view: times as instants, and the generation of its rows."""
    columns = []
    for name, (source, kind) in columns_of(view, layout).items():
        if kind in _INSTANTS:
            columns.append(f"{name}={_INSTANTS[kind]}({source})")
        else:
            columns.append(name if name == source else f"{name}={source}")
    if view.name == REJECTS.name:
        columns.insert(0, f"flow=`{flow}`")
    return table.view([*columns, f"{GENERATION}={generation}L"])


def no_rows(changelog: Changelog) -> Table:
    """Return a table with the columns of a changelog and no rows."""
    columns = {name: _TYPES[kind] for name, kind in changelog.columns.items()}
    if changelog.name == REJECTS.name:
        columns[COPY] = dtypes.string
    return table_of(columns, [])


def empty(view: View, layout: Layout) -> Table:
    """Return a table with a view's columns and no rows."""
    return shape(no_rows(layout.changelog(view.changelog)), view, layout, "", generation=0)


class Ingest:
    """The tables of one generation; make it inside a liveness scope, which then owns it all."""

    def __init__(
        self, streams: Mapping[str, Table], flow: str, layout: Layout, generation: int
    ) -> None:
        """Make them of tables with the rows of each changelog."""
        kept: dict[object, Table] = {}
        for view in layout.views:
            if view.kept not in kept:
                kept[view.kept] = newest(streams[view.changelog], view)
        self.views = {
            v.name: shape(kept[v.kept], v, layout, flow, generation) for v in layout.views
        }
        #: How far each source partition is seen in each changelog, and the newest time in it.
        self.progress = {
            name: rows.agg_by(agg.max_(["offset", "ts"]), by=["topic", "partition"])
            for name, rows in streams.items()
        }
        self._streams = streams
        #: How many records of each topic were rejected for each kind of reason.
        self.rejects = (
            streams[REJECTS.name]
            .update_view(f"kind=isNull(reason) ? `` : reason.replaceFirst(`{REASON_DETAIL}`, ``)")
            # Each pipeline of a pair writes all of them.
            .agg_by(agg.count_("count"), by=["topic", "kind", COPY])
            .agg_by(agg.max_("count"), by=["topic", "kind"])
        )

    def backlog(self, end: Offsets) -> list[Table]:
        """Count, in each changelog, the rows that records before an end have caused.

        For as long as the tables live, which should not be longer than somebody looks.
        """
        places = [(t, int(p), o) for t, found in end.items() for p, o in found.items()]
        columns = {"topic": dtypes.string, "partition": dtypes.int32, "tg_end": dtypes.int64}
        ends = table_of(columns, places)
        return [
            rows.natural_join(ends, ["topic", "partition"], "tg_end")
            .where("offset < tg_end")
            .agg_by(agg.count_("count"))
            for rows in self._streams.values()
        ]

"""Ingest: the changelogs of one generation become tables that hold the newest row of each key.

Memory is bounded by the number of keys: a changelog is read as a blink table, which forgets each
row after one update cycle, and only the row with the highest version of a key is kept.
"""

from __future__ import annotations

from collections.abc import Mapping

from deephaven import agg, dtypes, new_table
from deephaven.column import int_col, long_col, string_col
from deephaven.stream.kafka import consumer
from deephaven.table import Table

from tidegrid.contract import topics
from tidegrid.contract.receipts import Offsets
from tidegrid.contract.views import REASON_DETAIL, REJECTS, Changelog, ColumnType, Flow, View
from tidegrid.tables.arrivals import Arrivals

TYPES: dict[ColumnType, dtypes.DType] = {
    "string": dtypes.string,
    "int": dtypes.int32,
    "long": dtypes.int64,
    "double": dtypes.double,
    "time": dtypes.int64,
    "nanos": dtypes.int64,
}
_INSTANTS = {"time": "epochMillisToInstant", "nanos": "epochNanosToInstant"}


def stream(arrivals: Arrivals, topic: str, changelog: Changelog) -> Table:
    """Read a changelog from its beginning as a blink table."""
    columns = [(name, TYPES[kind]) for name, kind in changelog.columns.items()]
    return arrivals.blink(topic, consumer.json_spec(columns))


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
    # Its hints say one column to order by; it takes several.
    last = [agg.sorted_last(list(p.version), list(p.columns)) for p in view.parts]  # type: ignore[arg-type]
    mine = rows.where(f"shows.contains(`{view.letter}`)") if view.letter else rows
    kept = mine.agg_by(last, by=list(view.key))
    shown = [f"!isNull({name})" for name in view.needs]
    if view.deletes and any("op" in part.columns for part in view.parts):
        shown.append("!`D`.equals(op)")
    # One filter: each would look at the rows in a pass of its own.
    return kept.where(" && ".join(shown)) if shown else kept


def shape(table: Table, view: View, flow: Flow, generation: int) -> Table:
    """Give a table the columns of a view: times as instants, blank account types as nothing.

    Each row says which generation it is of, so that a page can change all its grids at once.
    """
    changelog = flow.changelog(view.changelog)
    columns = []
    for name, source in view.columns.items():
        instant = _INSTANTS.get(changelog.columns[source])
        if instant is not None:
            columns.append(f"{name}={instant}({source})")
        elif name == "accountType":
            # The row of a user with no account has a blank account type in its key.
            columns.append("accountType=``.equals(accountType) ? null : accountType")
        else:
            columns.append(name if name == source else f"{name}={source}")
    if view.name == "rejects":
        columns.insert(0, f"flow=`{flow.name}`")
    columns.append(f"generation={generation}L")
    return table.view(columns)


class Ingest:
    """The tables of one generation; make it inside a liveness scope, which then owns it all."""

    def __init__(self, arrivals: Arrivals, flow: Flow, generation: int, event_list: int) -> None:
        streams = {
            c.name: stream(
                arrivals, topics.changelog(flow.name, generation, c.name), c
            ).update_view(f"slot=(int)(offset % {event_list})")
            for c in flow.changelogs
        }
        kept: dict[object, Table] = {}
        for view in flow.views:
            if view.kept not in kept:
                kept[view.kept] = newest(streams[view.changelog], view)
        self.views = {v.name: shape(kept[v.kept], v, flow, generation) for v in flow.views}
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
            .agg_by(agg.count_("count"), by=["topic", "kind"])
        )

    def backlog(self, end: Offsets) -> list[Table]:
        """Count, in each changelog, the rows that records before an end have caused.

        For as long as the tables live, which should not be longer than somebody looks.
        """
        places = [(t, int(p), o) for t, found in end.items() for p, o in found.items()]
        topics_, partitions, offsets = zip(*places, strict=True)
        ends = new_table(
            [
                string_col("topic", topics_),
                int_col("partition", partitions),
                long_col("end", offsets),
            ]
        )
        return [
            rows.natural_join(ends, ["topic", "partition"], "end")
            .where("offset < end")
            .agg_by(agg.count_("count"))
            for rows in self._streams.values()
        ]

"""Ingest: the changelogs of one generation become tables that hold the newest row of each key.

Memory is bounded by the number of keys: a changelog is read as a blink table, which forgets each
row after one update cycle, and only the row with the highest version of a key is kept.
"""

from __future__ import annotations

from collections.abc import Mapping

from deephaven import agg, dtypes
from deephaven.stream.kafka import consumer
from deephaven.table import Table

from tidegrid.contract import topics
from tidegrid.contract.views import Changelog, ColumnType, Flow, Part, View

TYPES: dict[ColumnType, dtypes.DType] = {
    "string": dtypes.string,
    "int": dtypes.int32,
    "long": dtypes.int64,
    "double": dtypes.double,
    "time": dtypes.int64,
}
#: Kafka's own columns are not needed: a row says where it came from.
_NO_KAFKA_COLUMNS = {
    f"deephaven.{name}.column.name": "" for name in ("partition", "offset", "timestamp")
}


def stream(client: Mapping[str, str], topic: str, changelog: Changelog) -> Table:
    """Read a changelog from its beginning as a blink table."""
    columns = [(name, TYPES[kind]) for name, kind in changelog.columns.items()]
    return consumer.consume(
        {**client, **_NO_KAFKA_COLUMNS},
        topic,
        offsets=consumer.ALL_PARTITIONS_SEEK_TO_BEGINNING,
        key_spec=consumer.KeyValueSpec.IGNORE,
        value_spec=consumer.json_spec(columns),
        table_type=consumer.TableType.blink(),
    )


def newest(rows: Table, changelog: Changelog) -> Table:
    """Keep, of each key, the row with the highest version, whichever comes last, part by part."""
    apart = {c for part in changelog.parts for c in part.columns}
    rest = tuple(c for c in changelog.columns if c not in changelog.key and c not in apart)
    parts = (Part(rest, changelog.version), *changelog.parts)
    # Its hints say one column to order by; it takes several.
    last = [agg.sorted_last(list(p.version), list(p.columns)) for p in parts]  # type: ignore[arg-type]
    kept = rows.agg_by(last, by=list(changelog.key))
    return kept.where("op != `D`") if "op" in changelog.columns else kept


def shape(table: Table, view: View, changelog: Changelog, flow: Flow) -> Table:
    """Give a table the columns of a view: times as instants, blank account types as nothing."""
    columns = []
    for name in view.columns:
        if changelog.columns[name] == "time":
            columns.append(f"{name}=epochMillisToInstant({name})")
        elif name == "accountType":
            # The row of a user with no account has a blank account type in its key.
            columns.append("accountType=``.equals(accountType) ? null : accountType")
        else:
            columns.append(name)
    if view.name == "rejects":
        columns.insert(0, f"flow=`{flow.name}`")
    return table.view(columns)


class Ingest:
    """The tables of one generation; make it inside a liveness scope, which then owns it all."""

    def __init__(self, client: Mapping[str, str], flow: Flow, generation: int) -> None:
        streams: dict[str, Table] = {}
        kept: dict[str, Table] = {}
        for changelog in flow.changelogs:
            topic = topics.changelog(flow.name, generation, changelog.name)
            streams[changelog.name] = stream(client, topic, changelog)
            kept[changelog.name] = newest(streams[changelog.name], changelog)
        self.views = {
            v.name: shape(kept[v.changelog], v, flow.changelog(v.changelog), flow)
            for v in flow.views
        }
        #: How far each source partition is seen in each changelog, and the newest time in it.
        self.progress = {
            name: rows.agg_by(agg.max_(["offset", "ts"]), by=["topic", "partition"])
            for name, rows in streams.items()
        }

"""What people would pick instead: Deephaven reading the source topics itself, and joining them."""

from __future__ import annotations

from deephaven import dtypes
from deephaven.stream.kafka import consumer
from deephaven.table import Table

_USER = [
    ("userId", dtypes.string),
    ("name", dtypes.string),
    ("email", dtypes.string),
    ("age", dtypes.int64),
]
_ACCOUNT = [
    ("userId", dtypes.string),
    ("accountType", dtypes.string),
    ("balance", dtypes.double),
]
_POSITION = [
    ("symbol", dtypes.string),
    ("event_ts", dtypes.int64),
    ("price", dtypes.double),
    ("qty", dtypes.double),
    ("op", dtypes.string),
    ("_source_system", dtypes.string),
    ("allotment", dtypes.string),
    ("instrumentCode", dtypes.string),
    ("pnl", dtypes.double),
    ("mtm", dtypes.double),
]


def latest(bootstrap: str, topic: str) -> Table:
    """Return the last change of each symbol, in the order they come."""
    return _stream(bootstrap, topic, _POSITION).last_by("symbol")


def streams(bootstrap: str, users_topic: str, accounts_topic: str) -> tuple[Table, Table]:
    """Read both topics from their beginning as blink tables."""
    return _stream(bootstrap, users_topic, _USER), _stream(bootstrap, accounts_topic, _ACCOUNT)


def views(users: Table, accounts: Table) -> dict[str, Table]:
    """Return the newest row of each key, and both joined, under Tidegrid's names."""
    users_ui = users.last_by("userId")
    accounts_ui = accounts.last_by(["userId", "accountType"])
    joined = accounts_ui.natural_join(users_ui, "userId", ["name", "email", "age", "userTs=ts"])
    # As in Tidegrid, the time of a joined row is that of the event that changed it last.
    newest = "ts=isNull(userTs) || ts > userTs ? ts : userTs"
    columns = ["userId", "name", "email", "age", "accountType", "balance", newest]
    return {"users_ui": users_ui, "accounts_ui": accounts_ui, "final_ui": joined.view(columns)}


def _stream(bootstrap: str, topic: str, columns: list[tuple[str, dtypes.DType]]) -> Table:
    rows = consumer.consume(
        {"bootstrap.servers": bootstrap},
        topic,
        offsets=consumer.ALL_PARTITIONS_SEEK_TO_BEGINNING,
        key_spec=consumer.KeyValueSpec.IGNORE,
        value_spec=consumer.json_spec(columns),
        table_type=consumer.TableType.blink(),
    )
    return rows.view([name for name, _ in columns] + ["ts=KafkaTimestamp"])

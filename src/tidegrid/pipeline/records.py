"""Records and rows: what every flow's rows are made of, as SQL text."""

from __future__ import annotations

from collections.abc import Mapping

from tidegrid.contract.views import ColumnType

_OFFSET_BITS = 48
#: A record's partition and offset in one number, which no two records of a topic share.
TIE = f"shiftleft(cast(partition as long), {_OFFSET_BITS}) + offset"
#: When a record was written, in epoch milliseconds. Nanoseconds of it must fit into a long.
TS = f"least(unix_millis(timestamp), {(2**63 - 1) // 10**6})"
_SQL_TYPES: dict[ColumnType, str] = {
    "string": "string",
    "int": "int",
    "long": "long",
    "double": "double",
    "time": "long",
    "nanos": "long",
}


def partition(record: str) -> str:
    """Return the partition of a record that has its `tie`."""
    return f"cast(shiftright({record}.tie, {_OFFSET_BITS}) as int)"


def offset(record: str) -> str:
    """Return the offset of a record that has its `tie`."""
    return f"({record}.tie & {2**_OFFSET_BITS - 1})"


def slot(record: str, event_list: int) -> str:
    """Return the place of a record in an event list, as part of a Kafka key."""
    return f"concat({partition(record)}, '/', {offset(record)} % {event_list})"


def columns(kinds: Mapping[str, ColumnType], given: Mapping[str, str]) -> str:
    """Return the columns of a row, each of its type; what is not given is null."""
    return ", ".join(
        f"cast({given.get(name, 'null')} as {_SQL_TYPES[kind]}) as {name}"
        for name, kind in kinds.items()
    )

"""Sources: what the records of the topics that are read look like.

The pipeline reads them by this, and the doctor looks at some of them by the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

#: A `scalar` is a text or a number; it is read as a text.
FieldType = Literal["string", "scalar", "long", "double"]


@dataclass(frozen=True)
class Source:
    """What the records of a topic look like."""

    fields: Mapping[str, FieldType]
    #: Fields that must be there and not be blank; they are trimmed.
    keys: tuple[str, ...]


USERS = Source(
    {"userId": "string", "name": "string", "email": "string", "age": "long"}, keys=("userId",)
)
ACCOUNTS = Source(
    {"userId": "string", "accountType": "string", "balance": "double"},
    keys=("userId", "accountType"),
)
#: How records of positions call what rows call otherwise.
JSON_NAMES = {"sourceSystem": "_source_system"}
_POSITION: dict[str, FieldType] = {
    "symbol": "string",
    "price": "double",
    "qty": "double",
    "op": "string",
    "event_ts": "scalar",
    "event_time": "scalar",
    "pnl": "double",
    "mtm": "double",
    "_source_system": "string",
    "allotment": "string",
    "instrumentCode": "scalar",
    "positionId": "scalar",
    "isin": "scalar",
    "cusip": "scalar",
    "tradingDate": "scalar",
}
#: Epoch numbers below the first bound are seconds, below the second milliseconds, then micros; what
#: is larger is nanoseconds. Each with the nanoseconds it stands for.
TIME_UNITS = ((10**11, 10**9), (10**14, 10**6), (10**17, 10**3))
#: Milliseconds that an event may be ahead of its arrival.
MOST_AHEAD = 86_400_000


def positions(keys: tuple[str, ...]) -> Source:
    """Return what records of positions look like that these columns tell apart."""
    return Source(_POSITION, tuple(JSON_NAMES.get(k, k) for k in keys))

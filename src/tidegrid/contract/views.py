"""Views: what a changelog row holds, and how the newest row of a key is told.

A changelog row is a JSON object; one row may serve several views, and its `shows` says which. Rows
are keyed and idempotent: of all rows of a view with the same key the one with the highest version
is the row, whenever it arrives. Versions are made of the records themselves (time, partition,
offset), not of arrival, so that a row written again after a crash can never take the place of a
newer one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

#: `time` is in epoch milliseconds, `nanos` in epoch nanoseconds; viewers see both as instants.
ColumnType = Literal["string", "int", "long", "double", "time", "nanos"]

#: Every row says which source record caused it.
SOURCE: dict[str, ColumnType] = {"topic": "string", "partition": "int", "offset": "long"}


@dataclass(frozen=True)
class Part:
    """Columns of a row that are replaced together, by a version of their own."""

    columns: tuple[str, ...]
    version: tuple[str, ...]


@dataclass(frozen=True)
class Changelog:
    """A Kafka topic that carries the rows of one or more views of one generation."""

    name: str
    columns: dict[str, ColumnType]
    #: Whether each record of the topic is an event of its own, rather than the newest of a key.
    events: bool = False


@dataclass(frozen=True)
class View:
    """A live table under a name that never changes."""

    name: str
    changelog: str
    #: Its columns, each with the column of the changelog it shows.
    columns: dict[str, str]
    key: tuple[str, ...]
    #: What is not in the key, by what is replaced together.
    parts: tuple[Part, ...]
    #: The letter in `shows` of the rows that are this view's; all rows if it is empty.
    letter: str = ""
    #: Columns without which a row is not shown: the other side of a join may still be missing.
    needs: tuple[str, ...] = ()
    #: The column that says what a row is about.
    subject: str = "userId"
    #: Whether a row whose `op` is D is not shown.
    deletes: bool = True

    @property
    def kept(self) -> tuple[object, ...]:
        """What makes its rows the ones they are: views that are alike in it share them."""
        return self.changelog, self.letter, self.key, self.parts, self.needs, self.deletes


@dataclass(frozen=True)
class Flow:
    """A group of sources and views that swaps as one."""

    name: str
    changelogs: tuple[Changelog, ...]
    views: tuple[View, ...]

    def changelog(self, name: str) -> Changelog:
        """Return the changelog of that name."""
        return next(c for c in self.changelogs if c.name == name)

    def view(self, name: str) -> View:
        """Return the view of that name."""
        return next(v for v in self.views if v.name == name)


def _same(*names: str) -> dict[str, str]:
    return {name: name for name in names}


def _without(names: Iterable[str], *others: str) -> list[str]:
    return [name for name in names if name not in others]


_USER = ("name", "email", "age")
_USER_VERSION = ("userTs", "userTie")
_ACCOUNT_VERSION = ("accountTs", "accountTie")
#: An event list keeps one row for each (partition, offset modulo its length): bounded, and the
#: same whichever way the rows come. The tables make `slot` of the offset.
_EVENT_KEY = ("topic", "partition", "slot")
_SOURCE = tuple(SOURCE)
#: The account of an event, and the user as of it, who may come later or be put right.
_AS_OF = Part(
    ("userId", "accountType", "balance", "ts", *_USER, *_USER_VERSION, "offset"),
    ("offset", *_USER_VERSION),
)

#: What every flow has: the records that cannot be used.
REJECTS = Changelog(
    "rejects", {**SOURCE, "ts": "time", "reason": "string", "value": "string"}, events=True
)
#: What follows the kind of a reason and is different from record to record: a regular expression,
#: in the words that both Python and Java take. Without it there are as many reasons as there are
#: ways to be wrong, and no more.
REASON_DETAIL = "(?s)(, got .*| but .*|: [0-9].*)"
REJECTED = View(
    "rejects",
    "rejects",
    _same(*_SOURCE, "ts", "reason", "value"),
    key=_EVENT_KEY,
    parts=(Part(("ts", "reason", "value", "offset"), ("offset",)),),
    subject="reason",
)

CUSTOMERS = Flow(
    name="customers",
    changelogs=(
        Changelog(
            "customers",
            {
                "shows": "string",
                "op": "string",
                "userId": "string",
                "name": "string",
                "email": "string",
                "age": "long",
                "userTs": "time",
                "userTie": "long",
                "accountType": "string",
                "balance": "double",
                "accountTs": "time",
                "accountTie": "long",
                "ts": "time",
                **SOURCE,
            },
        ),
        REJECTS,
    ),
    views=(
        View(
            "users_ui",
            "customers",
            {**_same("userId", *_USER), "ts": "userTs", **_same(*_SOURCE)},
            key=("userId",),
            parts=(Part((*_USER, *_USER_VERSION, *_SOURCE), _USER_VERSION),),
            letter="u",
        ),
        View(
            "accounts_ui",
            "customers",
            {
                **_same("userId", "accountType", "balance"),
                "ts": "accountTs",
                **_same(*_SOURCE),
            },
            key=("userId", "accountType"),
            parts=(Part(("balance", *_ACCOUNT_VERSION, *_SOURCE), _ACCOUNT_VERSION),),
            letter="a",
        ),
        View(
            "final_ui",
            "customers",
            _same("userId", *_USER, "accountType", "balance", "ts", *_SOURCE),
            key=("userId", "accountType"),
            parts=(
                Part(("op", *_USER, *_USER_VERSION), _USER_VERSION),
                Part(("balance", *_ACCOUNT_VERSION), _ACCOUNT_VERSION),
                Part(("ts", *_SOURCE), ("ts", "offset")),
            ),
            letter="j",
            needs=("userTs",),
        ),
        View(
            "user",
            "customers",
            _same("userId", *_USER, "ts", *_SOURCE),
            key=_EVENT_KEY,
            parts=(Part(("userId", *_USER, "ts", "offset"), ("offset",)),),
            letter="U",
        ),
        View(
            "account",
            "customers",
            _same("userId", "accountType", "balance", "ts", *_SOURCE),
            key=_EVENT_KEY,
            parts=(_AS_OF,),
            letter="A",
        ),
        View(
            "user_account",
            "customers",
            _same("userId", "accountType", "balance", "ts", *_USER, "userTs", *_SOURCE),
            key=_EVENT_KEY,
            parts=(_AS_OF,),
            letter="A",
        ),
        REJECTED,
    ),
)

#: Columns that may tell one position from another.
POSITION_KEYS = (
    "symbol",
    "sourceSystem",
    "allotment",
    "instrumentCode",
    "positionId",
    "isin",
    "cusip",
    "tradingDate",
)
_POSITION: dict[str, ColumnType] = {
    **dict.fromkeys(POSITION_KEYS, "string"),
    **dict.fromkeys(("price", "qty", "pnl", "mtm"), "double"),
    "event_time": "nanos",
    "event_ts": "nanos",
}
_PLACE: dict[str, ColumnType] = {"sector": "string", "exchange": "string"}
_POSITION_VERSION = ("event_ts", "tie")
_BUCKET: dict[str, ColumnType] = {
    "trades": "long",
    "px_sum": "double",
    "qty_sum": "double",
    "notional": "double",
    "first": "double",
    "firstTs": "nanos",
    "firstTie": "long",
    "last": "double",
    "lastTs": "nanos",
    "lastTie": "long",
}
#: Seconds of event time that one row of `gold_buckets` stands for.
BUCKET_SECONDS = 5

POSITIONS = Flow(
    name="positions",
    changelogs=(
        Changelog(
            "positions",
            {
                "shows": "string",
                "op": "string",
                "key": "string",
                **_POSITION,
                **_PLACE,
                "tie": "long",
                "ts": "time",
                **SOURCE,
            },
        ),
        Changelog(
            "buckets",
            {
                "symbol": "string",
                "sourceSystem": "string",
                "ring": "int",
                "bucket": "time",
                **_BUCKET,
                "ts": "time",
                **SOURCE,
            },
        ),
        REJECTS,
    ),
    views=(
        View(
            "gold_latest",
            "positions",
            _same("symbol", *_PLACE, *_without(_POSITION, "symbol"), "op", "ts", *_SOURCE, "key"),
            key=("key",),
            parts=(
                Part(
                    ("op", *_POSITION, *_PLACE, "tie", "ts", *_SOURCE),
                    _POSITION_VERSION,
                ),
            ),
            letter="l",
            subject="symbol",
        ),
        View(
            "gold_stream_raw",
            "positions",
            _same("symbol", *_without(_POSITION, "symbol"), "op", "ts", *_SOURCE),
            key=_EVENT_KEY,
            parts=(Part((*_POSITION, "op", "ts", "offset"), ("offset",)),),
            letter="e",
            subject="symbol",
            deletes=False,
        ),
        View(
            "gold_buckets",
            "buckets",
            _same("symbol", "sourceSystem", "bucket", *_BUCKET, "ts", *_SOURCE),
            # A ring: the bucket of one turn later takes the place of this one.
            key=("symbol", "sourceSystem", "ring"),
            parts=(Part(("bucket", *_BUCKET, "ts", *_SOURCE), ("bucket", "trades")),),
            subject="symbol",
        ),
        REJECTED,
    ),
)

FLOWS = {flow.name: flow for flow in (CUSTOMERS, POSITIONS)}

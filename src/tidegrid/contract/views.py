"""Views: what a changelog row holds, and how the newest row of a key is told.

A changelog row is a JSON object; one row may serve several views, and its `shows` says which. Rows
are keyed and idempotent: of all rows of a view with the same key the one with the highest version
is the row, whenever it arrives. Versions are made of the records themselves (time, partition,
offset), not of arrival, so that a row written again after a crash can never take the place of a
newer one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ColumnType = Literal["string", "int", "long", "double", "time"]

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


_USER = ("name", "email", "age")
_USER_VERSION = ("userTs", "userTie")
_ACCOUNT_VERSION = ("accountTs", "accountTie")
#: An event list keeps one row for each (partition, offset modulo its length): bounded, and the
#: same whichever way the rows come. The tables make `slot` of the offset.
_EVENT_KEY = ("topic", "partition", "slot")
_SOURCE = tuple(SOURCE)

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
        Changelog(
            "rejects",
            {**SOURCE, "ts": "time", "reason": "string", "value": "string"},
            events=True,
        ),
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
            parts=(Part(("userId", "accountType", "balance", "ts", "offset"), ("offset",)),),
            letter="A",
        ),
        View(
            "user_account",
            "customers",
            _same("userId", "accountType", "balance", "ts", *_USER, "userTs", *_SOURCE),
            key=_EVENT_KEY,
            parts=(
                Part(
                    ("userId", "accountType", "balance", "ts", *_USER, *_USER_VERSION, "offset"),
                    ("offset", *_USER_VERSION),
                ),
            ),
            letter="A",
        ),
        View(
            "rejects",
            "rejects",
            _same(*_SOURCE, "ts", "reason", "value"),
            key=_EVENT_KEY,
            parts=(Part(("ts", "reason", "value", "offset"), ("offset",)),),
            subject="reason",
        ),
    ),
)

FLOWS = {CUSTOMERS.name: CUSTOMERS}

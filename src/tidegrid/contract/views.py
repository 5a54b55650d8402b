"""Views: what a changelog row holds, and how the newest row of a key is told.

A changelog row is a JSON object with the view's columns. Rows are keyed and idempotent: of all
rows with the same key the one with the highest `version` is the row, whenever it arrives. Versions
are made of the records themselves (time, partition, offset), not of arrival, so that a row written
again after a crash can never take the place of a newer one.
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
    key: tuple[str, ...]
    version: tuple[str, ...]
    #: Whether each record of the topic is an event of its own, rather than the newest of a key.
    events: bool = False
    #: Columns that do not go by `version`: the other side of a join changes by itself.
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True)
class View:
    """A live table under a name that never changes."""

    name: str
    changelog: str
    columns: tuple[str, ...]


@dataclass(frozen=True)
class Flow:
    """A group of sources and views that swaps as one."""

    name: str
    changelogs: tuple[Changelog, ...]
    views: tuple[View, ...]

    def changelog(self, name: str) -> Changelog:
        """Return the changelog of that name."""
        return next(c for c in self.changelogs if c.name == name)


_USER: dict[str, ColumnType] = {"name": "string", "email": "string", "age": "long"}
_ACCOUNT: dict[str, ColumnType] = {"accountType": "string", "balance": "double"}
#: An event list keeps one row for each (partition, offset modulo its length): bounded, and the
#: same whichever way the rows come.
_EVENT_KEY = ("topic", "partition", "slot")

CUSTOMERS = Flow(
    name="customers",
    changelogs=(
        Changelog(
            "users",
            {"userId": "string", **_USER, "ts": "time", **SOURCE, "tie": "long"},
            key=("userId",),
            version=("ts", "tie"),
        ),
        Changelog(
            "user_events",
            {"userId": "string", **_USER, "ts": "time", **SOURCE, "slot": "int"},
            key=_EVENT_KEY,
            version=("offset",),
            events=True,
        ),
        Changelog(
            "accounts",
            {"userId": "string", **_ACCOUNT, "ts": "time", **SOURCE, "tie": "long"},
            key=("userId", "accountType"),
            version=("ts", "tie"),
        ),
        Changelog(
            "account_events",
            {
                "userId": "string",
                **_ACCOUNT,
                "ts": "time",
                **_USER,
                "userTs": "time",
                **SOURCE,
                "slot": "int",
                "tie": "long",
            },
            key=_EVENT_KEY,
            version=("offset", "userTs", "tie"),
            events=True,
        ),
        Changelog(
            "final",
            {
                "op": "string",
                "userId": "string",
                **_USER,
                **_ACCOUNT,
                "ts": "time",
                **SOURCE,
                "userTs": "time",
                "userTie": "long",
                "accountTs": "time",
                "accountTie": "long",
            },
            key=("userId", "accountType"),
            version=("userTs", "userTie"),
            parts=(
                Part(("balance", "accountTs", "accountTie"), version=("accountTs", "accountTie")),
            ),
        ),
        Changelog(
            "rejects",
            {**SOURCE, "ts": "time", "reason": "string", "value": "string", "slot": "int"},
            key=_EVENT_KEY,
            version=("offset",),
            events=True,
        ),
    ),
    views=(
        View("users_ui", "users", ("userId", *_USER, "ts", *SOURCE)),
        View("accounts_ui", "accounts", ("userId", *_ACCOUNT, "ts", *SOURCE)),
        View("final_ui", "final", ("userId", *_USER, *_ACCOUNT, "ts", *SOURCE)),
        View("user", "user_events", ("userId", *_USER, "ts", *SOURCE)),
        View("account", "account_events", ("userId", *_ACCOUNT, "ts", *SOURCE)),
        View(
            "user_account",
            "account_events",
            ("userId", *_ACCOUNT, "ts", *_USER, "userTs", *SOURCE),
        ),
        View("rejects", "rejects", (*SOURCE, "ts", "reason", "value")),
    ),
)

FLOWS = {CUSTOMERS.name: CUSTOMERS}

"""Views: what the rows of a flow look like on their way; `layout` makes this of a declaration.

Spark writes by this and Deephaven reads by it. A changelog row is a JSON object; one row may serve
several views, and its `tg_shows` says which. Rows are keyed and idempotent: of all rows of a view
with the same key the one with the highest version is the row, whenever it arrives. Versions are
made of the records themselves (time, partition, offset), not of arrival, so a row written again
after a crash can never take the place of a newer one.

Sources that are joined share a changelog, and each has a part of the row: columns that are replaced
together, by a version of their own. Columns of Tidegrid's own begin with `tg_`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

#: `time` is in epoch milliseconds, `nanos` in epoch nanoseconds; viewers see both as instants.
ColumnType = Literal["string", "int", "long", "double", "boolean", "time", "nanos"]
#: The type of each derived column of each source, as Spark found it.
Types = Mapping[str, Mapping[str, ColumnType]]

#: Every row says which source record caused it, and when that was written.
CAUSE: dict[str, ColumnType] = {
    "ts": "time",
    "topic": "string",
    "partition": "int",
    "offset": "long",
}
#: The views that a row is for, each by its letter.
SHOWS = "tg_shows"
#: Whether a row of a left join stands for a parent without children, and is no more.
ALONE_GONE = "tg_alone_gone"
#: The place of a slice of time among those that are kept.
RING = "tg_ring"
#: How many records a slice of time is made of.
MERGED = "tg_merged"
#: An event list keeps one row for each (partition, offset modulo its length): bounded, and the
#: same whichever way the rows come. The tables work the slot out of the offset.
SLOT = "tg_slot"
#: What follows the kind of a reason and is different from record to record: a regular expression,
#: in the words that both Python and Java take. Without it there are as many reasons as there are
#: ways to be wrong, and no more.
REASON_DETAIL = "(?s)(, got .*| but .*|: [0-9].*)"


@dataclass(frozen=True)
class Part:
    """Columns of a row that are replaced together, by a version of their own."""

    columns: tuple[str, ...]
    version: tuple[str, ...]


@dataclass(frozen=True)
class Changelog:
    """A Kafka topic that carries the rows of one or more views of one generation."""

    name: str
    columns: Mapping[str, ColumnType]
    #: Whether each record of the topic is an event of its own, rather than the newest of a key.
    events: bool = False


@dataclass(frozen=True)
class View:
    """A live table under a name that never changes."""

    name: str
    changelog: str
    #: Its columns, each with the column of the changelog that it shows.
    columns: Mapping[str, str]
    key: tuple[str, ...]
    #: What is not in the key, by what is replaced together.
    parts: tuple[Part, ...]
    #: The letter in `tg_shows` of the rows that are this view's; all rows if it is empty.
    letter: str = ""
    #: Columns without which a row is not shown: the other side of a join may still be missing.
    needs: tuple[str, ...] = ()
    #: Columns that take a row off the screen when they are true.
    gone: tuple[str, ...] = ()
    #: The column that says what a row is about.
    subject: str = ""
    #: How many slots an event list has; 0 if it is none.
    keep: int = 0
    #: For how many seconds a slice of time is shown; 0 if it is none.
    window: int = 0
    #: Columns of a child's key, if a row without them is a parent that has no child: such a row is
    #: shown while no row of the same parent has them.
    alone: tuple[str, ...] = ()

    @property
    def kept(self) -> tuple[object, ...]:
        """What makes its rows the ones they are: views that are alike in it share them."""
        return self.changelog, self.key, self.parts, self.needs, self.gone, self.keep, self.alone

    @property
    def is_list(self) -> bool:
        """Whether it is as long as what came last, not as what there is."""
        return bool({SLOT, RING} & set(self.key))


@dataclass(frozen=True)
class Family:
    """Sources that share a changelog, since they are joined; or one alone."""

    #: The source that others are joined to; of one alone, that one.
    parent: str
    children: tuple[str, ...] = ()

    @property
    def sources(self) -> tuple[str, ...]:
        """All of them, the parent first."""
        return (self.parent, *self.children)


@dataclass(frozen=True)
class Layout:
    """The changelogs and views of a flow."""

    families: tuple[Family, ...]
    changelogs: tuple[Changelog, ...]
    views: tuple[View, ...]

    def changelog(self, name: str) -> Changelog:
        """Return the changelog of that name."""
        return next(c for c in self.changelogs if c.name == name)

    def view(self, name: str) -> View:
        """Return the view of that name."""
        return next(v for v in self.views if v.name == name)


#: What every flow has: the records that cannot be used.
REJECTS = Changelog("rejects", {**CAUSE, "reason": "string", "value": "string"}, events=True)

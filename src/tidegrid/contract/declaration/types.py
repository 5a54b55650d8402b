"""What a flow file says, as typed values: the one form that every part of Tidegrid works with.

`load` makes these of a file and `check` has seen that they fit together, so nobody checks again.
Durations are in seconds, paths are tuples, and everything that can be left out has its default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Literal

#: What a field of a record may be. `scalar` is a text or a number, read as a text; `time` is
#: ISO-8601 or a number since 1970 whose size tells its unit; `json` is any value, as JSON text.
FieldType = Literal["string", "scalar", "long", "double", "boolean", "time", "json"]
KEY_TYPES: tuple[FieldType, ...] = ("string", "scalar", "long")
TEXT_TYPES: tuple[FieldType, ...] = ("string", "scalar")
Encoding = Literal["json", "base64"]
How = Literal["left", "inner"]
Value = str | int | float | bool


@dataclass(frozen=True)
class Field:
    """One column that is read from a record."""

    name: str
    type: FieldType = "string"
    #: Where it is in the record, by default under its name. `("$key",)` is the Kafka key as text,
    #: `("$headers", NAME)` a header.
    path: tuple[str, ...] = ()
    #: What it is when the record does not have it.
    default: Value | None = None
    #: All it may be; anything else is a reject.
    one_of: tuple[str, ...] = ()
    #: Whether it is made upper case before anything else looks at it.
    upper: bool = False
    #: Whether blanks around it are dropped; what is empty then is missing. Key fields always are.
    trim: bool = False
    #: Whether a text that holds a number (or true, false) is taken for one.
    lenient: bool = False

    def __post_init__(self) -> None:
        if not self.path:
            object.__setattr__(self, "path", (self.name,))

    @property
    def is_text(self) -> bool:
        """Whether it holds text."""
        return self.type in TEXT_TYPES


@dataclass(frozen=True)
class KafkaKey:
    """What the Kafka key of a source's records is made of, so that a tombstone names its row."""

    fields: tuple[str, ...]
    #: Whether it is a JSON object with these fields; else it is the one field as text.
    json: bool = False


@dataclass(frozen=True)
class Source:
    """A topic and what its records look like."""

    name: str
    topic: str
    #: The fields that tell one row from another: there, trimmed and not empty.
    key: tuple[str, ...]
    fields: Mapping[str, Field]
    #: The time fields that order records: the first that is there, else Kafka's timestamp. The
    #: first of them shows that time, also where the record has it elsewhere or nowhere.
    time: tuple[str, ...] = ()
    #: How far a time may be ahead of the record's arrival, in seconds; 0 is any.
    max_ahead: int = 0
    #: Spark SQL: what does not pass is not used; what passes this takes its row away.
    where: str = ""
    delete: str = ""
    kafka_key: KafkaKey | None = None
    encoding: Encoding = "json"
    #: Columns worked out for each record: name to Spark SQL, in the order they are declared.
    columns: Mapping[str, str] = field(default_factory=dict)

    @property
    def deletes(self) -> bool:
        """Whether a record may take its row away."""
        return bool(self.delete) or self.kafka_key is not None


@dataclass(frozen=True)
class Lookup:
    """A static table whose columns are added to the rows of a view."""

    name: str
    #: A Parquet file or folder, or its URI.
    parquet: str
    #: The column that both have: of the view's source, and of the table.
    on: str
    columns: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """What every view and screen has."""

    name: str
    _: KW_ONLY
    #: The columns to show, in this order; none means all.
    show: tuple[str, ...] = ()
    #: Columns of a view that are not shown, of those that `*` in `show` stands for.
    hide: tuple[str, ...] = ()
    title: str = ""


@dataclass(frozen=True)
class Latest(Table):
    """The newest record of each key."""

    source: str
    lookup: str = ""


@dataclass(frozen=True)
class Events(Table):
    """The last `keep` records of each partition, as they came."""

    source: str
    keep: int = 1000


@dataclass(frozen=True)
class Join(Table):
    """Parent and child: a row for each child and, if `how` is left, for a parent without any."""

    parent: str
    child: str
    how: How = "left"


@dataclass(frozen=True)
class AsOf(Table):
    """Each child event with the parent as of its time; a parent that comes late corrects it."""

    parent: str
    child: str
    #: Versions of the parent, and events of its children, that are looked back over.
    depth: int = 16
    keep: int = 1000
    #: What the column with the parent version's time is called; none if it is empty.
    parent_time: str = ""


@dataclass(frozen=True)
class Buckets(Table):
    """Counts, sums and the like per group and slice of event time."""

    source: str
    by: tuple[str, ...]
    #: Seconds of a slice, and how long slices are kept.
    every: int
    keep: int
    #: Spark SQL: which records count. A record that takes its row away never does.
    where: str = ""
    #: The column with the number of records; none if it is empty.
    count: str = ""
    #: Columns by name, each of Spark SQL over a record.
    sum: Mapping[str, str] = field(default_factory=dict)
    min: Mapping[str, str] = field(default_factory=dict)
    max: Mapping[str, str] = field(default_factory=dict)
    first: Mapping[str, str] = field(default_factory=dict)
    last: Mapping[str, str] = field(default_factory=dict)


View = Latest | Events | Join | AsOf | Buckets


@dataclass(frozen=True)
class ScreenTable(Table):
    """What every screen has."""

    _: KW_ONLY
    #: Deephaven formulas: rows in, columns added, rows out.
    where: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    having: str = ""
    #: Whether it is only there for other screens.
    hidden: bool = False


@dataclass(frozen=True)
class Window(ScreenTable):
    """A bucket view over the last `over` seconds, up to now: it falls as time passes."""

    of: str
    over: int
    #: The groups, of those the buckets have; none means all of them.
    by: tuple[str, ...] = ()
    #: A column of the groups over which rows named `All` are added.
    rollup: str = ""


@dataclass(frozen=True)
class Top(ScreenTable):
    """The rows with the highest values of a column; with `both`, the lowest too, below them."""

    of: str
    by: str
    rows: int = 20
    both: bool = False
    #: Of each value of this column, instead of all.
    per: str = ""
    #: With `both`: the column that says `up` or `down`, and whether only what is above zero is up
    #: and only what is below it down.
    side: str = ""
    by_sign: bool = False


@dataclass(frozen=True)
class Totals(ScreenTable):
    """Sums and counts by group; a sum of nothing is empty."""

    of: str
    by: tuple[str, ...] = ()
    #: A column over which rows named `All` are added; without `by` there is always one.
    rollup: str = ""
    #: Columns by name, each the sum of a Deephaven formula over the rows; often just a column.
    sum: Mapping[str, str] = field(default_factory=dict)
    #: The column with the number of rows; none if it is empty.
    count: str = ""


@dataclass(frozen=True)
class JoinTables(ScreenTable):
    """Two tables side by side, by columns that are unique in the second."""

    left: str
    right: str
    on: tuple[str, ...]
    #: Whether rows of the second without one in the first are there too.
    full: bool = False
    #: A column with the time, every five seconds; none if it is empty.
    clock: str = ""


Screen = Window | Top | Totals | JoinTables


@dataclass(frozen=True)
class ColumnStyle:
    """How a column is called and written, wherever it is shown."""

    label: str = ""
    format: str = ""
    tone: str = ""
    #: Pixels in a grid; by the format if it is 0.
    width: int = 0


@dataclass(frozen=True)
class Flow:
    """A group of sources and views that swaps as one, and the screens made of them."""

    name: str
    title: str
    sources: Mapping[str, Source]
    views: Mapping[str, View]
    lookups: Mapping[str, Lookup] = field(default_factory=dict)
    screens: Mapping[str, Screen] = field(default_factory=dict)
    columns: Mapping[str, ColumnStyle] = field(default_factory=dict)
    #: Offsets of each source partition that `rejects` looks back over.
    rejects_keep: int = 1000
    #: The page as it was declared: a filter, and cards in their order; None for one made by itself.
    page: Mapping[str, object] | None = None

    @property
    def topics(self) -> dict[str, str]:
        """The topic of each source."""
        return {name: source.topic for name, source in self.sources.items()}

    @property
    def join(self) -> str:
        """How its joins join, `left` or `inner`; empty if it has none."""
        return next((v.how for v in self.views.values() if isinstance(v, Join)), "")

"""A parent and its child, joined by one aggregation: `latest`, `events`, `join`, `as_of` of both.

Real-time Mode has no join of two streams, but it emits a group right after each record is merged.
So both are grouped by the parent's key, which the child's contains. Most records cause one row,
which serves all views at once; only what is out of the ordinary takes more: a parent with several
children, a record that comes late, a parent whose first child arrives.

Guarantees: every record causes at least one row, except one in the backlog whose row a newer one
replaces. A joined row has two parts, each with a version of its own: a parent record writes the
parent's part of every child ever seen, a child record writes both; a reader that keeps the newest
of each part has the exact row. A parent that comes late corrects the child events that it is the
right version for, as far as they are still kept.
State: for each parent `depth` versions of it, as many child events, and the keys of its children,
which do not expire.
"""

from __future__ import annotations

from collections.abc import Iterator

from tidegrid.contract.declaration.types import Source
from tidegrid.contract.layout import depth, gone_column, record_id, time_column, version
from tidegrid.contract.views import ALONE_GONE, Family
from tidegrid.pipeline import sql
from tidegrid.pipeline.plan import Plan

#: Child events that are kept to know the newest of each child, where no view asks for more.
_CHILD_EVENTS = 16
#: The metric that says how many parents have children which `rows_of_backlog` could not write.
MISSING = "missing"


class Joined:
    """The rows of one family."""

    def __init__(self, plan: Plan, number: int, family: Family) -> None:
        """Make it; `number` is that of the family."""
        self._plan = plan
        self._family = family
        self._n = number
        self.parent = plan.flow.sources[family.parent]
        self.child = plan.flow.sources[family.children[0]]
        #: Letters of the views, by what they show.
        self._parents = plan.letters("latest", self.parent.name)
        self._parent_events = plan.letters("events", self.parent.name)
        self._children = plan.letters("latest", self.child.name)
        self._child_events = plan.letters("events", self.child.name)
        self.both = plan.letters("join", self.parent.name)
        self.as_of = plan.has("as_of", self.parent.name)
        self._left = plan.flow.join == "left" and bool(self.both)
        #: Whether the first child takes the row of its parent alone away for good.
        self.for_good = self._left and not self.child.deletes
        self.depth = depth(plan.flow, self.parent.name)
        self.child_depth = max(self.depth, _CHILD_EVENTS)

    @property
    def numbers(self) -> tuple[int, int]:
        """The numbers of the parent and of the child in the query."""
        return self._plan.number(self.parent.name), self._plan.number(self.child.name)

    @property
    def state(self) -> dict[str, str]:
        """What is kept of each group, and how it is made of its records."""
        parent, child = self.numbers
        n = self._n
        found = {
            f"parents_{n}": f"max_by(event_{parent}, order_{parent}, {self.depth})",
            f"children_{n}": f"max_by(event_{child}, order_{child}, {self.child_depth})",
        }
        if self.both:
            found[f"child_keys_{n}"] = f"collect_set(record.child_{n})"
        if self.for_good:
            found[f"children_seen_{n}"] = f"count(record.child_{n})"
        return found

    @property
    def _deletes(self) -> bool:
        return self.parent.deletes or self.child.deletes

    def events(self, source: Source) -> dict[str, str]:
        """Return what a record of a source is in the lists of the state, and by which order.

        Columns of their own: `max_by` interprets what it is given, and a projection is compiled.
        """
        k = self._plan.number(source.name)
        brought = self.group(source)[1]
        event = {"at": "at", "id": "id", "ts": "ts"} | ({"gone": "gone"} if self._deletes else {})
        event["columns"] = brought[f"of_{k}"]
        if source is self.child:
            event["child"] = brought[f"child_{self._n}"]
        return {f"event_{k}": sql.struct(event), f"order_{k}": sql.order("at", "id")}

    def group(self, source: Source) -> tuple[str, dict[str, str]]:
        """Return the key of a record's group, and what the record brings into it."""
        values = self._plan.values(source)
        family = self._family
        columns = {n: e for n, e in values.items() if n not in source.key}
        columns.setdefault(version(source, family)[0], "at")
        columns[time_column(source, family)] = "ts"
        columns[record_id(source, family)] = "id"
        if source.deletes:
            columns[gone_column(source, family)] = "CASE WHEN gone THEN true END"
        keys = {n: values[n] for n in self.parent.key}
        brought = {
            f"keys_{self._n}": sql.struct(keys),
            f"of_{self._plan.number(source.name)}": sql.struct(columns),
        }
        if source is self.child:
            rest = {n: values[n] for n in source.key if n not in self.parent.key}
            brought[f"child_{self._n}"] = sql.struct(rest)
        return sql.key_text(list(keys.values())), brought

    def looked_up(self) -> dict[str, str]:
        """Return what the rows of a record need of the state, each worked out once."""
        n = self._n
        children, child = f"children_{n}", f"record.child_{n}"
        # The newest event of the record's child: null if busier ones pushed it out. The usual
        # record is the newest of all, which is seen without a search.
        of_child = (
            f"CASE WHEN {child} IS NULL THEN null "
            f"WHEN get({children}, 0).id = record.id THEN get({children}, 0) "
            f"ELSE get(filter({children}, c -> c.child = {child}), 0) END"
        )
        found = {
            f"keys_{n}": sql.inside(f"record.keys_{n}"),
            f"parent_{n}": f"get(parents_{n}, 0)",
            f"of_child_{n}": of_child,
        }
        if self.as_of:
            found[f"as_of_{n}"] = self._as_of("record")
        return found

    def rows_of_record(self) -> str:
        """Return an array of the rows that the record merged last causes."""
        return (
            f"CASE WHEN record.source = {self.numbers[0]} THEN {self._rows_of_parent()} "
            f"ELSE array({', '.join(self._rows_of_child())}) END"
        )

    def _rows_of_parent(self) -> str:
        late = f"{self._newest}.id <> record.id"
        own = _row(
            f"concat('U:', {self._slot('record', self.parent)})",
            sql.row(f"'{self._parent_events}'", self._keys, self._own(self.parent), "place"),
        )
        rows = [f"array({self._parent_row(late)}, CASE WHEN {late} THEN {own} END)"]
        if self.both:
            rows.append(self._other_children())
        if self.as_of:
            rows.append(self._corrections())
        return f"concat({', '.join(rows)})"

    def _parent_row(self, late: str) -> str:
        first = sql.inside(f"get({self._child_keys}, 0)")
        if self.for_good:
            joined, child = f"'{self.both}'", first
        elif self._left:
            joined, child = f"'{self.both}'", "cast(null AS string)"
        elif self.both and not self.child.deletes:
            joined = f"CASE WHEN size({self._child_keys}) > 0 THEN '{self.both}' ELSE '' END"
            child = first
        else:
            joined, child = "''", "cast(null AS string)"
        shows = (
            f"concat('{self._parents}', {joined}, "
            f"CASE WHEN {late} THEN '' ELSE '{self._parent_events}' END)"
        )
        return _row(
            "concat('p:', key)", sql.row(shows, self._keys, child, self._parent_columns, "place")
        )

    def _other_children(self) -> str:
        """Return the rows that show a changed parent on the children that its own row is not."""
        keys = self._child_keys
        others = keys if self.child.deletes else f"slice({keys}, 2, {2**31 - 1})"
        return f"transform({others}, c -> {self._parent_of('c', 'place')})"

    def _parent_of(self, child: str, place: str) -> str:
        text = sql.inside(child)
        return _row(
            f"concat('j:', key, {text})",
            sql.row(f"'{self.both}'", self._keys, text, self._parent_columns, place),
        )

    def _corrections(self) -> str:
        # A parent changes the child events it is the newest version for, and no others.
        children = f"children_{self._n}"
        right = f"c.at >= record.at AND ({self._as_of('c')}).id = record.id"
        place = sql.cause("c", sql.json_text(self.child.topic))
        event = self._child_event("c", "c.child", "c.columns", f"({self._as_of('c')})", place)
        made = f"transform(filter({children}, c -> {right}), c -> {event})"
        return f"CASE WHEN get({children}, 0).at >= record.at THEN {made} ELSE array() END"

    def _rows_of_child(self) -> Iterator[str]:
        of_child, child = f"of_child_{self._n}", f"record.child_{self._n}"
        in_order = f"{of_child}.id <=> record.id"
        if self.as_of:
            in_order = f"({in_order} AND as_of_{self._n}.id <=> {self._newest}.id)"
            if self.parent.deletes:
                # The row of the child would show what the delete itself says.
                in_order = f"({in_order} AND NOT coalesce({self._newest}.gone, false))"
        # An event so late that the newest of its child is no longer kept stands for itself, under a
        # Kafka key of its own: versions tell which of the two rows counts.
        slot = self._slot("record", self.child)
        kind = f"CASE WHEN {of_child} IS NULL THEN concat('l:', {slot}, ':') ELSE 'c:' END"
        shows = f"CASE WHEN {in_order} THEN '{self._children}{self.both}{self._child_events}' "
        shows += f"ELSE '{self._children}{self.both}' END"
        own = f"record.of_{self.numbers[1]}"
        columns = sql.inside(f"coalesce({of_child}.columns, {own})")
        yield _row(
            f"concat({kind}, key, {sql.inside(child)})",
            sql.row(shows, self._keys, sql.inside(child), self._parent_columns, columns, "place"),
        )
        if self._child_events:
            as_of = f"as_of_{self._n}" if self.as_of else ""
            event = self._child_event("record", child, own, as_of, "place")
            yield f"CASE WHEN NOT ({in_order}) THEN {event} END"
        if self.for_good:
            seen = f"children_seen_{self._n} = 1"
            yield f"CASE WHEN {seen} THEN {self._no_longer_alone('place')} END"

    def _no_longer_alone(self, place: str) -> str:
        """Return the row that takes a parent without children off the screen, for good."""
        newest = ",".join(f'"{name}":{sql.LONG_MAX}' for name in version(self.parent, self._family))
        gone = sql.literal(f'"{ALONE_GONE}":true,{newest}')
        return _row("concat('d:', key)", sql.row(f"'{self.both}'", self._keys, gone, place))

    def _child_event(self, event: str, child: str, columns: str, parent: str, place: str) -> str:
        """Return the row of a child event in the lists, with the parent as of it."""
        parts = [self._keys, sql.inside(child), sql.inside(columns)]
        if parent:
            parts.append(self._as_it_was(parent))
        return _row(
            f"concat('A:', {self._slot(event, self.child)})",
            sql.row(f"'{self._child_events}'", *parts, place),
        )

    def _as_it_was(self, parent: str) -> str:
        """Return the columns of a parent version; of one that is a delete, its version alone."""
        columns = sql.inside(f"{parent}.columns")
        if not self.parent.deletes:
            return columns
        stamp, number = (f(self.parent, self._family) for f in (time_column, record_id))
        held = {version(self.parent, self._family)[0]: "at", stamp: "ts", number: "id"}
        bare = sql.inside(sql.struct({name: f"{parent}.{c}" for name, c in held.items()}))
        return f"CASE WHEN {parent}.gone THEN {bare} ELSE {columns} END"

    def rows_of_backlog(self) -> str:
        """Return an array of the rows after a backlog: of each parent and each of its children.

        A child that busier ones pushed out of the history has no row here, and is counted in
        `missing`: `row_of_rest` makes those. What has not changed since it was read before has none
        either: its row is there, and may be in an event list too.
        """
        alone = (
            f"CASE WHEN size({self._child_keys}) > 0 THEN '{self._parents}' "
            f"ELSE '{self._parents}{self.both}' END"
            if self.for_good
            else f"'{self._parents}{self.both}'"
            if self._left
            else f"'{self._parents}'"
        )
        place = sql.cause(self._newest, sql.json_text(self.parent.topic))
        parent = _row("concat('p:', key)", sql.row(alone, self._keys, self._parent_columns, place))
        found = f"CASE WHEN {self._has_new_parent} THEN {parent} END"
        rows = [f"array({found})", self._children_of_backlog(place)]
        if self._plan.since:
            rows += self._of_what_was_read()
        return f"concat({', '.join(rows)})"

    @property
    def _has_new_parent(self) -> str:
        written = self._plan.was_read(self._newest, self.parent)
        return f"{self._newest} IS NOT NULL AND NOT {written}"

    def _children_of_backlog(self, place: str) -> str:
        children, parent = f"children_{self._n}", self._parent_columns
        if not self.both:
            before = f"slice({children}, 1, n)"
            first = f"NOT exists({before}, b -> b.child = c.child)"
            newest = f"filter({children}, (c, n) -> {first} AND NOT {self._was_read('c')})"
            return f"transform({newest}, c -> {self._child_row('c', parent=parent)})"
        of_child = f"get(filter({children}, c -> c.child = k), 0)"
        each = f"transform({self._child_keys}, k -> struct(k, {of_child} AS c))"
        child = self._child_row("x.c", parent=parent)
        # One that busier ones pushed out may be new, and have no other row with its parent.
        written = self._plan.was_read(self._newest, self.parent)
        shown_anew = f"{self._newest} IS NOT NULL AND (x.c IS NULL OR NOT {written})"
        return (
            f"transform({each}, x -> "
            f"CASE WHEN x.c IS NOT NULL AND NOT {self._was_read('x.c')} THEN {child} "
            f"WHEN {shown_anew} THEN {self._parent_of('x.k', place)} END)"
        )

    def _of_what_was_read(self) -> Iterator[str]:
        """Return the rows by which a backlog changes what was read before it."""
        children = f"children_{self._n}"
        if self.as_of:
            # Child events for which a parent came late.
            parent = f"({self._as_of('c')})"
            late = f"{parent}.id IS NOT NULL AND NOT {self._plan.was_read(parent, self.parent)}"
            of_late = f"filter({children}, c -> {self._was_read('c')} AND {late})"
            place = sql.cause("c", sql.json_text(self.child.topic))
            event = self._child_event("c", "c.child", "c.columns", parent, place)
            # Of a parent without children there is no list.
            yield f"coalesce(transform({of_late}, c -> {event}), array())"
        if self.for_good:
            none_before = (
                f"size({children}) > 0 AND NOT exists({children}, c -> {self._was_read('c')})"
            )
            place = sql.cause(f"get({children}, 0)", sql.json_text(self.child.topic))
            yield f"array(CASE WHEN {none_before} THEN {self._no_longer_alone(place)} END)"

    def _was_read(self, child: str) -> str:
        return self._plan.was_read(child, self.child)

    def _child_row(self, event: str, kind: str = "c:", parent: str = "") -> str:
        place = sql.cause(event, sql.json_text(self.child.topic))
        child, columns = sql.inside(f"{event}.child"), sql.inside(f"{event}.columns")
        parts = [self._keys, child, *([parent] if parent else []), columns, place]
        shows = f"'{self._children}{self.both}'"
        return _row(f"concat('{kind}', key, {child})", sql.row(shows, *parts))

    def missing(self) -> str:
        """Return whether a backlog left a child out."""
        children = f"children_{self._n}"
        full = f"size({children}) >= {self.child_depth}"
        if not self.both:
            return full
        known = f"forall({self._child_keys}, k -> exists({children}, c -> c.child = k))"
        return f"({full} AND NOT {known})"

    def event_of_rest(self) -> str:
        """Return what the second pass over a backlog keeps of a child's record."""
        child = f"record.child_{self._n} AS child"
        columns = f"record.of_{self.numbers[1]} AS columns"
        return f"struct(record.at, record.id, record.ts, {child}, {columns})"

    def row_of_rest(self) -> str:
        """Return the row of a child after a backlog, however quiet, of its newest event."""
        # Under a key of its own, so that it takes no other row's place when the topic is compacted.
        return self._child_row(f"event_{self._n}", kind="b:")

    @property
    def _newest(self) -> str:
        return f"parent_{self._n}"

    @property
    def _keys(self) -> str:
        return f"keys_{self._n}"

    @property
    def _child_keys(self) -> str:
        return f"child_keys_{self._n}"

    @property
    def _parent_columns(self) -> str:
        return sql.inside(f"{self._newest}.columns")

    def _own(self, source: Source) -> str:
        return sql.inside(f"record.of_{self._plan.number(source.name)}")

    def _as_of(self, event: str) -> str:
        """Return the newest parent version that is no newer than an event."""
        parents = f"parents_{self._n}"
        return (
            f"CASE WHEN get({parents}, 0).at <= {event}.at THEN get({parents}, 0) "
            f"ELSE get(filter({parents}, p -> p.at <= {event}.at), 0) END"
        )

    def _slot(self, record: str, source: Source) -> str:
        return sql.slot(record, self._plan.slots(source.name))


def _row(key: str, value: str) -> str:
    return f"struct({key} AS key, {value} AS value)"

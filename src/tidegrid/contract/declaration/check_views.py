"""Whether the views of a flow fit its sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from tidegrid.contract.declaration.names import column_problem, table_problem
from tidegrid.contract.declaration.problems import Problems, below, quoted
from tidegrid.contract.declaration.tables import (
    lookups_of,
    measures,
    operator,
    sources_of,
    value_columns,
    view_shape,
)
from tidegrid.contract.declaration.types import AsOf, Buckets, Flow, Join, Latest, Source, View

#: A row says by one letter each which views it is for.
_MOST_VIEWS = 60
_MOST_SLICES = 100_000


def check_views(flow: Flow, problems: Problems) -> None:
    """Note what is wrong with the views of a flow."""
    if len(flow.views) > _MOST_VIEWS:
        problems.add("views", f"{len(flow.views)} are more than {_MOST_VIEWS}", "make two flows")
    for view in flow.views.values():
        _view(flow, view, below("views", view.name), problems)
    _families(flow, problems)
    kinds = [v for v in flow.views.values() if isinstance(v, Join)]
    for view in kinds[1:]:
        if view.how != kinds[0].how:
            what = f"{view.how!r}, but {quoted(kinds[0].name)} is {kinds[0].how!r}"
            problems.add(f"{below('views', view.name)}.how", what, "all joins of a flow are alike")


def _view(flow: Flow, view: View, place: str, problems: Problems) -> None:
    problems.name(place, view.name, table_problem(view.name))
    missing = [name for name in sources_of(view) if name not in flow.sources]
    for name in filter(None, missing):
        problems.missing(f"{place}.{operator(view)}", "there is no source", name, flow.sources)
    if missing:
        return
    if isinstance(view, Latest) and view.lookup:
        _lookup(flow, view, place, problems)
    elif isinstance(view, Join | AsOf):
        _joined(flow, view, place, problems)
    elif isinstance(view, Buckets):
        _buckets(flow, view, place, problems)
    if there := view_shape(flow, replace(view, show=())):
        problems.columns(f"{place}.show", view.show, there.columns)
        problems.columns(f"{place}.hide", view.hide, there.columns)


def _lookup(flow: Flow, view: Latest, place: str, problems: Problems) -> None:
    lookup = flow.lookups.get(view.lookup)
    if lookup is None:
        problems.missing(f"{place}.lookup", "there is no lookup", view.lookup, flow.lookups)
        return
    source = flow.sources[view.source]
    own = [*source.fields, *source.columns]
    at = f"{below('lookups', lookup.name)}.on"
    if lookup.on and lookup.on not in own:
        problems.missing(at, f"the source {quoted(source.name)} has no column", lookup.on, own)
    elif lookup.on in source.fields and value_columns(flow, source)[lookup.on] != "string":
        what = f"{quoted(lookup.on)} is of type {source.fields[lookup.on].type}"
        problems.add(at, what, "a lookup is by a text: make it a string or a scalar")


def _joined(flow: Flow, view: Join | AsOf, place: str, problems: Problems) -> None:
    parent, child = flow.sources[view.parent], flow.sources[view.child]
    for name in parent.key:
        mine, theirs = child.fields.get(name), parent.fields.get(name)
        if name not in child.key:
            what = f"the key of {quoted(child.name)} has no {quoted(name)}, the key of its parent"
            do = "add it to the child's key, or use a left_join screen"
            problems.add(f"{place}.{operator(view)}", what, do)
        elif mine and theirs and mine.type != theirs.type:
            what = (
                f"{quoted(name)} is of type {theirs.type} in {quoted(parent.name)} and "
                f"{mine.type} in {quoted(child.name)}"
            )
            problems.add(f"{place}.{operator(view)}", what, "make them alike")
    if set(child.key) <= set(parent.key):
        what = f"the key of {quoted(child.name)} is that of its parent: it has one row for each"
        problems.add(f"{place}.{operator(view)}", what, "use a left_join screen")
    if isinstance(view, AsOf) and view.parent_time:
        at = f"{place}.parent_time"
        there = {name.lower() for s in (parent, child) for name in value_columns(flow, s)}
        said = column_problem(view.parent_time)
        if not problems.name(at, view.parent_time, said) and view.parent_time.lower() in there:
            what = f"{quoted(view.parent_time)} is a column already"
            problems.add(at, what, "choose another name")


def _buckets(flow: Flow, view: Buckets, place: str, problems: Problems) -> None:
    source = flow.sources[view.source]
    if view.name in flow.sources or view.name == flow.name:
        what = f"{quoted(view.name)} is the name of a source or of the flow"
        problems.add(place, what, "call a bucket view something else")
    own = [*source.fields, *source.columns]
    for name in view.by:
        if name not in own:
            what = f"the source {quoted(source.name)} has no column"
            problems.missing(f"{place}.by", what, name, own)
        elif name.lower() == "bucket":
            what = f"{quoted(name)} is the column with the slice of time"
            problems.add(f"{place}.by", what, "call the column something else")
    if view.every < 1:
        problems.add(f"{place}.every", "is less than a second", 'such as "5s"')
    elif view.keep < view.every:
        what = f"{view.keep} s is less than a slice of {view.every} s"
        problems.add(f"{place}.keep", what, "keep at least one slice")
    elif view.keep // view.every > _MOST_SLICES:
        what = f"{view.keep // view.every:,} slices are more than {_MOST_SLICES:,}"
        problems.add(f"{place}.keep", what, "keep less, or make the slices longer")
    made = list(measures(view))
    if not made:
        what = "nothing is counted or summed"
        problems.add(place, what, "add count, sum, min, max, first or last")
    twice = Counter(name.lower() for name in [*view.by, "bucket", *(name for _, name, _ in made)])
    for key, name, _ in made:
        at = f"{place}.count" if key == "count" else below(f"{place}.{key}", name)
        if not problems.name(at, name, column_problem(name)) and twice[name.lower()] > 1:
            problems.add(at, f"there are two columns {quoted(name)}", "choose another name")


def _families(flow: Flow, problems: Problems) -> None:
    """Check who is joined to whom, and that joined sources have columns of different names."""
    parents: dict[str, str] = {}
    joins = [
        v
        for v in flow.views.values()
        if isinstance(v, Join | AsOf) and v.parent in flow.sources and v.child in flow.sources
    ]
    for view in joins:
        place = f"{below('views', view.name)}.{operator(view)}"
        other = parents.setdefault(view.child, view.parent)
        if other != view.parent:
            what = f"{quoted(view.child)} is joined to {quoted(other)} already"
            problems.add(place, what, "use a left_join screen for one of the two")
        known = next((c for c, p in parents.items() if p == view.parent), view.child)
        if known != view.child:
            what = f"{quoted(view.parent)} has the child {quoted(known)} already"
            problems.add(place, what, "use a left_join screen for one of the two")
    for view in joins:
        if view.parent in parents:
            place = f"{below('views', view.name)}.{operator(view)}"
            what = f"{quoted(view.parent)} is a child of {quoted(parents[view.parent])} itself"
            problems.add(place, what, "use a left_join screen for one of the two")
    for source in flow.sources.values():
        if source.name not in parents:
            children = [flow.sources[c] for c, p in parents.items() if p == source.name]
            _columns(flow, source, children, problems)


def _columns(flow: Flow, parent: Source, children: list[Source], problems: Problems) -> None:
    seen: dict[str, tuple[str, str]] = {}
    for source in (parent, *children):
        for place, name in _declared(flow, source):
            if source is not parent and name in parent.key:
                continue
            # Spark tells no upper case from lower.
            at, owner = seen.setdefault(name.lower(), (place, source.name))
            if at == place:
                continue
            if owner == source.name:
                problems.add(place, f"there is {at} already", "choose another name")
            else:
                what = f"{at} has this name too, and the two sources are joined"
                do = f'call one of them something else, with from = "{name}"'
                problems.add(place, what, do)


def _declared(flow: Flow, source: Source) -> Iterator[tuple[str, str]]:
    place = below("sources", source.name)
    yield from ((below(f"{place}.fields", name), name) for name in source.fields)
    yield from ((below(f"{place}.columns", name), name) for name in source.columns)
    for lookup in lookups_of(flow, source.name):
        at = f"{below('lookups', lookup)}.columns"
        yield from ((below(at, name), name) for name in flow.lookups[lookup].columns)

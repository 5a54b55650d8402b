"""Whether the parts of a flow fit together: what is named is there, and is what it should be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from tidegrid.contract.declaration import names
from tidegrid.contract.declaration.check_screens import check_screens
from tidegrid.contract.declaration.check_views import check_views
from tidegrid.contract.declaration.problems import Problem, Problems, below, listed, quoted
from tidegrid.contract.declaration.tables import sources_of
from tidegrid.contract.declaration.types import (
    KEY_TYPES,
    TEXT_TYPES,
    Field,
    Flow,
    Latest,
    Source,
)

_LENIENT_TYPES = ("long", "double", "boolean")
#: Columns of a source: each is in every expression that Spark plans and compiles for it.
_MOST_COLUMNS = 500


def check(flow: Flow, unread: Collection[str], problems: Problems) -> None:
    """Note what does not fit; tables that could not be read are `unread`, and not missed."""
    problems.name("", flow.name, names.flow_problem(flow.name))
    for kind, there in (("sources", flow.sources), ("views", flow.views)):
        if not there and not unread:
            problems.add(kind, "there are none", f"a flow has at least one: [{kind}.NAME]")
    for source in flow.sources.values():
        _source(source, problems)
    _topics(flow, problems)
    _unused(flow, unread, problems)
    check_views(flow, problems)
    check_screens(flow, unread, problems)


def clashes(flows: Iterable[Flow]) -> list[Problem]:
    """Return a problem for each table that two flows have."""
    owners: dict[str, str] = {}
    found = []
    for flow in flows:
        for kind, tables in (("views", flow.views), ("screens", flow.screens)):
            for name in tables:
                if name in owners:
                    what = f"the flow {quoted(owners[name])} has a table of this name"
                    place = below(kind, name)
                    found.append(Problem(flow.name, place, what, "choose another name"))
                owners.setdefault(name, flow.name)
    return found


def _source(source: Source, problems: Problems) -> None:
    place = below("sources", source.name)
    if source.name == "rejects":
        problems.add(place, "'rejects' is one of Tidegrid's own tables", "choose another name")
    else:
        problems.name(place, source.name, names.name_problem(source.name))
    if (count := len(source.fields) + len(source.columns)) > _MOST_COLUMNS:
        what = f"{count:,} fields and derived columns are more than {_MOST_COLUMNS}"
        problems.add(f"{place}.fields", what, "leave out what no table shows")
    for field in source.fields.values():
        _field(field, below(f"{place}.fields", field.name), problems)
    for name in source.columns:
        problems.name(below(f"{place}.columns", name), name, names.column_problem(name))
    for key, chosen, kinds in (("key", source.key, KEY_TYPES), ("time", source.time, ("time",))):
        for name in chosen:
            kind = source.fields[name].type if name in source.fields else None
            if kind is None:
                problems.missing(f"{place}.{key}", "there is no field", name, source.fields)
            elif kind not in kinds:
                what = f"{quoted(name)} is of type {kind}"
                problems.add(f"{place}.{key}", what, f"{key} takes {' or '.join(kinds)}")
    _paths(source, f"{place}.fields", problems)
    if source.kafka_key:
        _kafka_key(source, f"{place}.kafka_key", problems)


def _field(field: Field, place: str, problems: Problems) -> None:
    if said := names.column_problem(field.name):
        do = "call it something else and say where it is with `from`"
        problems.name(place, field.name, (said[0], said[1] if "no name" in said[0] else do))
    if field.path[0] in ("$key", "$headers") and not field.is_text:
        what = f"{field.path[0]} is a text, not of type {field.type}"
        problems.add(place, what, "read it as a string and cast it in a column")
    for key, said_so, kinds in (
        ("one_of", bool(field.one_of), TEXT_TYPES),
        ("upper", field.upper, TEXT_TYPES),
        ("trim", field.trim, TEXT_TYPES),
        ("lenient", field.lenient, _LENIENT_TYPES),
    ):
        if said_so and field.type not in kinds:
            what = f"a field of type {field.type} has none"
            problems.add(f"{place}.{key}", what, f"it is for {', '.join(kinds)}")
    if field.one_of and field.default is not None and field.default not in field.one_of:
        what = f"{quoted(field.default)} is none of {listed(field.one_of)}"
        problems.add(f"{place}.default", what, "add it to one_of")
    for value in field.one_of if field.upper else ():
        if value != value.upper():
            what = f"{quoted(value)} never comes, for the field is made upper case"
            problems.add(f"{place}.one_of", what, f"write {quoted(value.upper())}")


def _paths(source: Source, place: str, problems: Problems) -> None:
    whole = {field.path: field.name for field in source.fields.values()}
    for field in source.fields.values():
        for n in range(1, len(field.path)):
            if field.path[:n] in whole:
                what = f"it is inside of {quoted(whole[field.path[:n]])}, which is read whole"
                problems.add(below(place, field.name), what, "read one of the two")


def _kafka_key(source: Source, place: str, problems: Problems) -> None:
    assert source.kafka_key
    named = source.kafka_key.fields
    for name in named:
        if name not in source.fields:
            problems.missing(place, "there is no field", name, source.fields)
    missing = [name for name in source.key if name not in named]
    if missing and all(name in source.fields for name in (*named, *source.key)):
        problems.add(
            place,
            f"does not hold {listed(missing)}, so it does not tell which row to take away",
            "write { json = [...] } with every field of the key, or leave it out",
        )
    last = Counter(source.fields[name].path[-1] for name in named if name in source.fields)
    for name in (name for name, count in last.items() if count > 1):
        what = f"two of its fields are called {quoted(name)} in the record, and so in the Kafka key"
        problems.add(place, what, "name one of them")


def _topics(flow: Flow, problems: Problems) -> None:
    owners: dict[str, str] = {}
    for source in flow.sources.values():
        place = f"{below('sources', source.name)}.topic"
        if not source.topic:
            if any(flow.topics.values()):
                what = "'' is not a topic name, and other sources of the flow have one"
                problems.add(place, what, "name a topic, or none for the whole flow")
            continue
        said = names.topic_problem(source.topic)
        if not problems.name(place, source.topic, said) and source.topic in owners:
            what = f"{quoted(source.topic)} is the same topic as of {quoted(owners[source.topic])}"
            problems.add(place, what, "one source can serve several views")
        owners.setdefault(source.topic, source.name)


def _unused(flow: Flow, unread: Collection[str], problems: Problems) -> None:
    if unread:
        return
    used = {name for view in flow.views.values() for name in sources_of(view)}
    for name in flow.sources:
        if name not in used and not names.name_problem(name):
            what = "nothing uses this source"
            problems.add(below("sources", name), what, f'add a view such as latest = "{name}"')
    asked = {view.lookup for view in flow.views.values() if isinstance(view, Latest)}
    for name, lookup in flow.lookups.items():
        place = below("lookups", name)
        if not problems.name(place, name, names.name_problem(name)) and name not in asked:
            do = f'add lookup = "{name}" to a latest view'
            problems.add(place, "nothing uses this lookup", do)
        for column in lookup.columns:
            problems.name(f"{place}.columns", column, names.column_problem(column))

"""`tidegrid plan`: what would change if a flow file were applied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from tidegrid import kafka
from tidegrid.contract import control
from tidegrid.contract.control import Build
from tidegrid.contract.declaration.check_screens import shapes
from tidegrid.contract.declaration.tables import Columns
from tidegrid.contract.declaration.types import Flow
from tidegrid.contract.messages import Apply, Refuse
from tidegrid.contract.receipts import Ledger, Receipt, flow_of
from tidegrid.errors import FlowError
from tidegrid.kafka.connection import Connection
from tidegrid.kafka.receipt_log import ReceiptLog
from tidegrid.settings import Settings
from tidegrid.stack import flows

#: The type of each derived column of each source.
Types = Mapping[str, Mapping[str, str]]
_LATER = "type found when applied"


def describe(settings: Settings, path: Path) -> list[str]:
    """Return what would change, in lines; an error with all problems if it would be refused."""
    name, document, flow = flows.read(settings, path)
    ledger = ReceiptLog.read(settings.connection).ledger
    topics = kafka.names(settings.connection)
    known = control.known(ledger, name, {})
    decision = control.decide(Apply(name, document, flow), known, topics)
    if isinstance(decision, Refuse):
        raise FlowError(f"{path}: it would be refused: {decision.reason}")
    if not isinstance(decision, Build):
        return [f"{name}: {control.NO_CHANGE}"]
    birth = ledger.newest(name)
    before = birth if birth is not None and birth.of_this_version else None
    return [
        f"{name}: {_now(ledger, name)}",
        *changes(before, decision, flow),
        *_to_read(settings.connection, decision),
    ]


def changes(before: Receipt | None, wanted: Build, flow: Flow) -> Iterator[str]:
    """Yield what is new, gone or other in topics, join and tables."""
    old_topics = before.sources if before is not None else {}
    for source in dict.fromkeys((*old_topics, *wanted.sources)):
        old, new = old_topics.get(source), wanted.sources.get(source)
        if old != new:
            yield f"  topic   {source}: {old or '(new)'} -> {new or '(gone)'}"
    if before is not None and before.join != wanted.join:
        yield f"  join    {before.join or '(none)'} -> {wanted.join or '(none)'}"
    old_tables = _tables(flow_of(before), before.types) if before is not None else {}
    new_tables = _tables(flow, _same(before, flow))
    tables = list(_table_changes(old_tables, new_tables))
    yield from tables
    if not tables:
        yield "  tables  all keep their columns"


def _now(ledger: Ledger, flow: str) -> str:
    live, pending = ledger.live(flow), ledger.pending(flow)
    if pending is not None:
        return f"a change of generation {pending}, which is being built"
    return "a new flow" if live is None else f"a change of generation {live}, which is live"


def _table_changes(old: Mapping[str, Columns], new: Mapping[str, Columns]) -> Iterator[str]:
    for name, columns in new.items():
        if name not in old:
            named = (f"{c} ({kind or _LATER})" for c, kind in columns.items())
            yield f"  table   {name}: new, with {', '.join(named)}"
        elif found := list(_column_changes(old[name], columns)):
            yield f"  table   {name}: {', '.join(found)}"
    yield from (f"  table   {name}: gone" for name in old if name not in new)


def _column_changes(old: Columns, new: Columns) -> Iterator[str]:
    yield from (f"+ {c} ({kind or _LATER})" for c, kind in new.items() if c not in old)
    yield from (f"- {c}" for c in old if c not in new)
    for name, kind in new.items():
        if name in old and old[name] != kind:
            yield f"{name} {old[name] or '?'} -> {kind or _LATER}"
    stay = [c for c in new if c in old]
    if stay != [c for c in old if c in new]:
        yield "other order"


def _tables(flow: Flow, types: Types) -> dict[str, Columns]:
    """Return the columns of every table, with types as far as they are known."""
    hidden = {name for name, screen in flow.screens.items() if screen.hidden}
    return {
        name: shape.columns for name, shape in shapes(flow, types).items() if name not in hidden
    }


def _same(before: Receipt | None, flow: Flow) -> Types:
    """Return the types of derived columns whose expressions have not changed."""
    if before is None:
        return {}
    old = flow_of(before).sources
    return {
        name: {
            column: before.types[name][column]
            for column, expression in source.columns.items()
            if name in old and old[name].columns.get(column) == expression
        }
        for name, source in flow.sources.items()
    }


def _to_read(connection: Connection, wanted: Build) -> Iterator[str]:
    found = kafka.partitions(connection, wanted.sources.values())
    first, end = kafka.earliest(connection, found), kafka.latest(connection, found)
    for topic, places in end.items():
        records = sum(places.values()) - sum(first[topic].values())
        yield f"  reads   {records:,} records of {topic}"

"""The catalogue: what tables and pages there are, so that the page needs to know no flow."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping

from deephaven import dtypes
from deephaven.table import Table

from tidegrid.contract.declaration.check_screens import shapes
from tidegrid.contract.declaration.combine import combined, rollup_of
from tidegrid.contract.declaration.page import page_of
from tidegrid.contract.declaration.tables import operator
from tidegrid.contract.declaration.types import AsOf, ColumnStyle, Events, Flow
from tidegrid.contract.receipts import Ledger
from tidegrid.tables.ingest import GENERATION
from tidegrid.tables.keyed import Keyed

#: One row for each table of each flow. `columns` is a JSON list of objects with name, label,
#: format, tone, width, type, and combine, how the values of several rows make one; `key` has its
#: columns with commas between them. `rollup` is a column in which rows over all of its values are
#: called `All`. `handle` is another number when there is another table behind the name: who shows
#: the one before must attach again.
_CATALOGUE = {
    **dict.fromkeys(("flow", "table", "kind", "key", "rollup", "columns", "title"), dtypes.string),
    "handle": dtypes.int64,
}
#: One row for each flow. `page` is a JSON object: path, title, filter, and cards in their order,
#: with everything in them that was left out of the declaration.
_PAGES = dict.fromkeys(("flow", "title", "page"), dtypes.string)
#: One row for each flow and source.
_FLOWS = {
    **dict.fromkeys(("flow", "source", "title", "topic", "state"), dtypes.string),
    "generation": dtypes.int64,
}
_TYPES = {
    dtypes.string: "string",
    dtypes.int32: "int",
    dtypes.int64: "long",
    dtypes.double: "double",
    dtypes.bool_: "boolean",
    dtypes.Instant: "time",
}
_EVENT_KEY = ("topic", "partition", "offset")
#: The state of a flow that has no generation yet.
_WAITING = "waiting"


class Catalogue:
    """The tables `catalogue`, `pages` and `flows`."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._catalogue = Keyed(_CATALOGUE, ["flow", "table"])
        self._pages = Keyed(_PAGES, ["flow"])
        self._flows = Keyed(_FLOWS, ["flow", "source"])
        self._declared: dict[str, Flow] = {}
        self._numbers = itertools.count(1)
        #: The tables of each flow by name, and the numbers of their handles.
        self._handles: dict[str, dict[str, tuple[Table, int]]] = {}

    @property
    def tables(self) -> dict[str, Table]:
        """The tables by the names they are exported under."""
        return {
            "catalogue": self._catalogue.table,
            "pages": self._pages.table,
            "flows": self._flows.table.move_columns(1, "title"),
        }

    def put(self, flow: Flow, tables: Mapping[str, Table]) -> None:
        """Show a flow as it is declared now, with the tables that are exported of it."""
        before = self._handles.get(flow.name, {})
        self._handles[flow.name] = handles = {
            name: before[name]
            if name in before and before[name][0] is table
            else (table, next(self._numbers))
            for name, table in tables.items()
        }
        shown = [(flow.name, *row, handles[row[0]][1]) for row in _rows(flow, tables)]
        self._catalogue.change((flow.name,), shown)
        page = page_of(flow)
        row = (flow.name, str(page["title"]), json.dumps(page))
        self._pages.change((flow.name,), [row])
        self._declared[flow.name] = flow
        self.show(flow.name)

    def show(self, flow: str) -> None:
        """Show where a flow stands: its live generation, or else the one that is being built."""
        declared = self._declared.get(flow)
        if declared is None:
            return
        ledger = self._ledger
        live = ledger.live(flow)
        number = ledger.pending(flow) if live is None else live
        life = ledger.lives(flow)[number] if number is not None else None
        topics = life.birth.sources if life is not None else declared.topics
        state = (life.state, life.birth.generation) if life is not None else (_WAITING, 0)
        self._flows.change(
            (flow,),
            [(flow, source, declared.title, topic, *state) for source, topic in topics.items()],
        )

    def remove(self, flow: str) -> None:
        """Show a flow no longer."""
        self._declared.pop(flow, None)
        self._handles.pop(flow, None)
        for table in (self._catalogue, self._pages, self._flows):
            table.drop(flow)


def _rows(flow: Flow, tables: Mapping[str, Table]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a flow in the catalogue, in the order that it is declared in."""
    known = shapes(flow)
    for name, declared in {**flow.views, **flow.screens}.items():
        if name not in tables:
            continue
        key = _EVENT_KEY if isinstance(declared, Events | AsOf) else known[name].key or ()
        combine = combined(flow, name, known)
        columns = [
            {
                "name": column.name,
                "label": style.label or column.name,
                "format": style.format,
                "tone": style.tone,
                "width": style.width,
                "type": _TYPES.get(column.data_type, "string"),
                "combine": combine.get(column.name, ""),
            }
            for column in tables[name].columns
            if column.name != GENERATION
            for style in [flow.columns.get(column.name, ColumnStyle())]
        ]
        rollup, title = rollup_of(flow, name, known), declared.title or name
        yield name, operator(declared), ",".join(key), rollup, json.dumps(columns), title

"""Screens: the tables about Tidegrid itself, made from the receipts and from the broker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deephaven import dtypes, input_table, new_table
from deephaven.column import InputColumn, double_col, int_col, long_col, string_col
from deephaven.dtypes import DType
from deephaven.table import Table
from deephaven.table_factory import InputTable

from tidegrid.contract.health import Reports
from tidegrid.contract.receipts import Ledger, Receipt, now, to_read

_STATUS = {
    "flow": dtypes.string,
    "generation": dtypes.int64,
    "usersTopic": dtypes.string,
    "accountsTopic": dtypes.string,
    "positionsTopic": dtypes.string,
    "joinType": dtypes.string,
    "state": dtypes.string,
    "lastApplied": dtypes.string,
    #: How long a generation lingers, during which a rollback is possible.
    "lingerSeconds": dtypes.int64,
}
_GENERATIONS = {
    "key": dtypes.string,
    "flow": dtypes.string,
    "generation": dtypes.int64,
    "state": dtypes.string,
    "at": dtypes.string,
    "sources": dtypes.string,
    "joinType": dtypes.string,
    "reason": dtypes.string,
    "starting": dtypes.string,
    #: The offset of the control message; -1 if there was none.
    "control": dtypes.int64,
    #: Rows of each view, before and after, as text.
    "rows": dtypes.string,
}
_PREVIEW = {
    "flow": dtypes.string,
    "generation": dtypes.int64,
    "view": dtypes.string,
    "rowsBefore": dtypes.int64,
    "rowsAfter": dtypes.int64,
    "keysBefore": dtypes.int64,
    "keysAfter": dtypes.int64,
    "at": dtypes.string,
}
_PROGRESS = {
    "flow": dtypes.string,
    "generation": dtypes.int64,
    "seen": dtypes.int64,
    "total": dtypes.int64,
}
_TOPICS = {"topic": dtypes.string, "partitions": dtypes.int32, "records": dtypes.int64}
#: One row for each figure; what does not apply to a measure is null.
_HEALTH = {
    "part": dtypes.string,
    "measure": dtypes.string,
    "flow": dtypes.string,
    "generation": dtypes.int64,
    "topic": dtypes.string,
    "partition": dtypes.int32,
    #: A view, a changelog, a reason, a state or a step, depending on the measure.
    "label": dtypes.string,
    "value": dtypes.double,
    #: What a part says of its state.
    "note": dtypes.string,
}
_COLUMNS = {
    dtypes.string: string_col,
    dtypes.int64: long_col,
    dtypes.int32: int_col,
    dtypes.double: double_col,
}


@dataclass(frozen=True)
class Counts:
    """Of each view of a generation: its rows, and the subjects they are about."""

    rows: Mapping[str, int]
    keys: Mapping[str, int]


class Keyed:
    """A small table of our own, with one row for each key."""

    def __init__(self, columns: Mapping[str, DType], keys: Sequence[str]) -> None:
        self._columns = dict(columns)
        self._keys = list(keys)
        self.input: InputTable = input_table(col_defs=self._columns, key_cols=self._keys)
        self._held: dict[tuple[object, ...], tuple[object, ...]] = {}

    @property
    def table(self) -> Table:
        """The table for viewers, who cannot write to it."""
        return self.input.view(list(self._columns))

    def put(self, rows: Sequence[tuple[object, ...]]) -> None:
        """Write rows; those that are there already are left alone."""
        news = [row for row in rows if self._held.get(row[: len(self._keys)]) != row]
        if news:
            self.input.add(_table(self._columns, news))
            self._held.update({row[: len(self._keys)]: row for row in news})

    def replace(self, rows: Sequence[tuple[object, ...]]) -> None:
        """Write all rows there shall be, without waiting for the next update cycle."""
        wanted = {row[: len(self._keys)]: row for row in rows}
        gone = [key for key in self._held if key not in wanted]
        news = [row for key, row in wanted.items() if self._held.get(key) != row]
        if gone:
            self.input.delete_async(_table({k: self._columns[k] for k in self._keys}, gone))
        if news:
            self.input.add_async(_table(self._columns, news))
        self._held = wanted

    def drop(self, *start: object) -> None:
        """Remove the rows whose keys begin like that."""
        gone = [key for key in self._held if key[: len(start)] == start]
        if gone:
            self.input.delete(_table({k: self._columns[k] for k in self._keys}, gone))
            for key in gone:
                del self._held[key]

    def remove(self, *key: object) -> None:
        """Remove a row that somebody else may have written."""
        self.input.delete(_table({k: self._columns[k] for k in self._keys}, [key]))

    @property
    def keys(self) -> set[tuple[object, ...]]:
        """The keys there are."""
        return set(self._held)


class Screens:
    """What there is to see of generations, and of the topics they could be made from."""

    def __init__(self, linger_seconds: int) -> None:
        self._linger_seconds = linger_seconds
        self._status = Keyed(_STATUS, ["flow"])
        self._generations = Keyed(_GENERATIONS, ["key"])
        self._preview = Keyed(_PREVIEW, ["flow", "generation", "view"])
        self._progress = Keyed(_PROGRESS, ["flow", "generation"])
        self._topics = Keyed(_TOPICS, ["topic"])
        self._health = Keyed(_HEALTH, [name for name in _HEALTH if name not in ("value", "note")])

    @property
    def tables(self) -> dict[str, Table]:
        """The tables by the names they are exported under."""
        return {
            "orchestrator_status": self._status.table,
            "generations": self._generations.table.sort_descending("at"),
            "preview": self._preview.table,
            "progress": self._progress.table,
            "topics": self._topics.table.sort("topic"),
            "health": self._health.table,
        }

    def show(self, receipt: Receipt, ledger: Ledger) -> None:
        """Show a receipt, and the flow as it stands with it."""
        self._generations.put(
            [
                (
                    receipt.key,
                    receipt.flow,
                    receipt.generation,
                    receipt.state,
                    receipt.at,
                    ", ".join(receipt.sources.values()),
                    receipt.join,
                    receipt.reason,
                    receipt.starting,
                    receipt.control,
                    _changes(receipt),
                )
            ]
        )
        if receipt.state == "building":
            self._progress.put([(receipt.flow, receipt.generation, 0, to_read(receipt))])
        elif receipt.generation:
            self._progress.drop(receipt.flow, receipt.generation)
        self._show_status(receipt.flow, ledger)

    def _show_status(self, flow: str, ledger: Ledger) -> None:
        """Show the live generation; before the first, the one that is being built."""
        live = ledger.live(flow)
        shown = ledger.coming(flow) if live is None else live
        if shown is None:
            return
        life = ledger.lives(flow)[shown]
        sources = life.birth.sources
        self._status.put(
            [
                (
                    flow,
                    shown,
                    sources.get("users"),
                    sources.get("accounts"),
                    sources.get("positions"),
                    life.birth.join,
                    life.state,
                    life.at if live is not None else "",
                    self._linger_seconds,
                )
            ]
        )

    def forget(self, receipt: Receipt) -> None:
        """Show a receipt no longer."""
        self._generations.drop(receipt.key)
        self._preview.drop(receipt.flow, receipt.generation)

    def preview(self, birth: Receipt, before: Counts, after: Counts, seen: int) -> None:
        """Show what a generation that is being built would change, and how far it is."""
        at = now()
        self._preview.put(
            [
                (
                    birth.flow,
                    birth.generation,
                    view,
                    before.rows.get(view, 0),
                    rows,
                    before.keys.get(view, 0),
                    after.keys.get(view, 0),
                    at,
                )
                for view, rows in after.rows.items()
            ]
        )
        self._progress.put([(birth.flow, birth.generation, seen, to_read(birth))])

    def topics(self, found: Mapping[str, tuple[int, int | None]]) -> None:
        """Show the topics of the broker, each with its partitions and records."""
        for (gone,) in self._topics.keys - {(topic,) for topic in found}:
            self._topics.drop(gone)
        self._topics.put([(topic, *counts) for topic, counts in found.items()])

    def health(self, reports: Reports, at: float) -> None:
        """Show what the parts say of themselves."""
        rows = []
        for part, figure in reports.figures(at):
            report = reports.state(part, at) if figure.measure == "up" else None
            rows.append(
                (
                    part,
                    figure.measure,
                    figure.flow or None,
                    figure.generation or None,
                    figure.topic or None,
                    figure.partition if figure.partition >= 0 else None,
                    figure.label or None,
                    float(figure.value),
                    ": ".join(t for t in (report.state, report.detail) if t) if report else None,
                )
            )
        self._health.replace(rows)


def _changes(receipt: Receipt) -> str:
    """Return the rows of each view, before and after, in one line."""
    return ", ".join(
        f"{view} {receipt.before.get(view, 0)} -> {rows}" for view, rows in receipt.rows.items()
    )


def _table(columns: Mapping[str, DType], rows: Sequence[tuple[object, ...]]) -> Table:
    made: list[InputColumn] = [
        _COLUMNS[kind](name, [row[n] for row in rows])
        for n, (name, kind) in enumerate(columns.items())
    ]
    return new_table(made)

"""Status: the tables about Tidegrid itself, made from the receipts and from the broker."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from deephaven import dtypes
from deephaven.dtypes import DType
from deephaven.table import Table

from tidegrid.contract.health import Reports
from tidegrid.contract.receipts import Ledger, Receipt, now, to_read
from tidegrid.tables.keyed import Keyed

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
_TOPICS = {
    "topic": dtypes.string,
    "partitions": dtypes.int32,
    "records": dtypes.int64,
    #: When the newest record was written.
    "newest": dtypes.string,
}
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


class Size(NamedTuple):
    """How large a topic is; what is not looked up is None."""

    partitions: int
    records: int | None
    #: When its newest record was written, as an ISO time.
    newest: str | None


@dataclass(frozen=True)
class Counts:
    """Of each view of a generation: its rows, and the subjects they are about."""

    rows: Mapping[str, int]
    keys: Mapping[str, int]


class Status:
    """What there is to see of generations, and of the topics they could be made from."""

    def __init__(self, sources: Sequence[str], linger_seconds: int) -> None:
        """Make the tables; `sources` have a column each with their topics."""
        self._sources = sources
        self._linger_seconds = linger_seconds
        self._status = Keyed(_status_columns(sources), ["flow"])
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

    def show(self, receipts: Collection[Receipt], ledger: Ledger) -> None:
        """Show receipts, and their flows as they stand with them.

        Each table is written once: every time takes an update cycle, and at a start there may be
        thousands.
        """
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
                for receipt in receipts
            ]
        )
        begun = []
        for receipt in receipts:
            life = ledger.lives(receipt.flow).get(receipt.generation)
            if life is None or life.state != "building":
                self._progress.drop(receipt.flow, receipt.generation)
            elif receipt.state == "building":
                begun.append((receipt.flow, receipt.generation, 0, to_read(receipt)))
        self._progress.put(begun)
        for flow in {receipt.flow for receipt in receipts}:
            self._show_status(flow, ledger)

    def _show_status(self, flow: str, ledger: Ledger) -> None:
        """Show the live generation; before the first, the one that is being built."""
        live = ledger.live(flow)
        shown = ledger.pending(flow) if live is None else live
        if shown is None:
            return
        life = ledger.lives(flow)[shown]
        sources = life.birth.sources
        self._status.put(
            [
                (
                    flow,
                    shown,
                    *(sources.get(name) for name in self._sources),
                    life.birth.join,
                    life.state,
                    life.at if live is not None else "",
                    self._linger_seconds,
                )
            ]
        )

    def remove(self, flow: str) -> None:
        """Show a flow no longer; what became of its generations stays."""
        self._status.drop(flow)
        self._progress.drop(flow)
        self._preview.drop(flow)

    def forget(self, receipt: Receipt) -> None:
        """Show a receipt no longer."""
        self._generations.drop(receipt.key)
        self._preview.drop(receipt.flow, receipt.generation)

    def preview(self, birth: Receipt, before: Counts, after: Counts) -> None:
        """Show what a generation that is being built would change."""
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

    def progress(self, birth: Receipt, seen: int) -> None:
        """Show how many of the records to catch up a generation has seen."""
        self._progress.put([(birth.flow, birth.generation, seen, to_read(birth))])

    def topics(self, found: Mapping[str, Size]) -> None:
        """Show the topics of the broker, each with its size."""
        self._topics.change((), [(topic, *size) for topic, size in found.items()])

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
        self._health.change((), rows, wait=False)


def _status_columns(sources: Sequence[str]) -> dict[str, DType]:
    return {
        "flow": dtypes.string,
        "generation": dtypes.int64,
        **{f"{name}Topic": dtypes.string for name in sources},
        "joinType": dtypes.string,
        "state": dtypes.string,
        "lastApplied": dtypes.string,
        # How long a generation lingers, during which a rollback is possible.
        "lingerSeconds": dtypes.int64,
    }


def _changes(receipt: Receipt) -> str:
    """Return the rows of each view, before and after, in one line."""
    return ", ".join(
        f"{view} {receipt.before.get(view, 0)} -> {rows}" for view, rows in receipt.rows.items()
    )

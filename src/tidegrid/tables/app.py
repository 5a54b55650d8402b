"""The app inside Deephaven: exports the stable views and follows the receipts.

One thread reads the receipts and looks after the tables. It builds the newest generation's tables
beside the active ones, flips, and writes `caught-up` and `live` when every source has been read to
the end the receipt names. If a table fails it makes all of them anew: a handle of a failed table is
dead, so viewers attach again by name.
"""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import Protocol

from confluent_kafka import KafkaError as Librdkafka
from confluent_kafka import Message, Producer, TopicPartition
from deephaven import new_table
from deephaven import numpy as dhnp
from deephaven.column import (
    double_col,
    int_col,
    long_col,
    string_col,
)
from deephaven.execution_context import get_exec_ctx
from deephaven.liveness_scope import LivenessScope
from deephaven.table import Table

from tidegrid import kafka, logs
from tidegrid.contract import health, receipts, topics
from tidegrid.contract.receipts import Offsets, Receipt
from tidegrid.contract.views import CUSTOMERS, Changelog, Flow, View
from tidegrid.errors import KafkaError
from tidegrid.settings import Settings
from tidegrid.tables.ingest import Ingest, shape
from tidegrid.tables.screens import Screens
from tidegrid.tables.stable import StableViews

_log = logs.get("tables")

_COLUMNS = {
    "string": string_col,
    "int": int_col,
    "long": long_col,
    "double": double_col,
    "time": long_col,
}
_LONGEST_WAIT = 30.0


class Exports(Protocol):
    """Where a table gets its public name: Deephaven's application state."""

    def __setitem__(self, name: str, value: object) -> None:
        """Export a table under a name."""


class App:
    """The tables of all flows, and the thread that keeps them right."""

    def __init__(self, settings: Settings, exports: Exports) -> None:
        self._settings = settings
        self._bootstrap = settings.kafka.bootstrap
        self._exports = exports
        self._context = get_exec_ctx()
        self._screens = Screens()
        self._flow = CUSTOMERS
        self._builds = 0
        #: The generation whose tables are the active ones; 0 is none.
        self._built = 0
        self._rebuild_wait, self._next_rebuild = 0.5, 0.0
        self._applied = ""
        self._receipt: Receipt | None = None
        self._ingest: Ingest | None = None
        self._scope: LivenessScope | None = None
        self._stable = self._export_stable()
        for name, table in self._screens.tables.items():
            exports[name] = table

    def run(self) -> None:
        """Follow the receipts for ever; a broker that is away is waited for."""
        with self._context:
            wait = 1.0
            while True:
                began = time.monotonic()
                try:
                    self._follow()
                except KafkaError as e:
                    _log.warning("%s; trying again in %.0f s", e, wait)
                except Exception:
                    _log.exception("the tables' thread failed; starting it again in %.0f s", wait)
                if time.monotonic() - began > _LONGEST_WAIT:
                    wait = 1.0
                time.sleep(wait)
                wait = min(2 * wait, _LONGEST_WAIT)

    def _follow(self) -> None:
        kafka.ensure_topics(self._bootstrap, {topics.RECEIPTS: 1}, topics.RECEIPTS_CONFIG)
        kafka.ensure_topics(self._bootstrap, {health.TOPIC: 1}, health.TOPIC_CONFIG)
        reader = kafka.reader(self._bootstrap, **{"enable.partition.eof": True})
        producer = kafka.producer(self._bootstrap, **{"message.timeout.ms": 5000})
        try:
            reader.assign([TopicPartition(topics.RECEIPTS, 0, 0)])
            reported = 0.0
            known = False
            while True:
                # Short while something is building, so that `live` follows at once.
                catching_up = self._receipt is not None and self._receipt.state == "building"
                message = reader.poll(0.05 if catching_up else health.EVERY / 2)
                if message is not None and message.error() is None:
                    receipt = receipts.parse(message.value())
                    if receipt is not None and receipt.flow == self._flow.name:
                        self._on_receipt(receipt)
                    continue
                # All receipts are read once the end is reached: only then is it clear which
                # generation is the newest.
                known = known or (message is not None and is_end(message))
                if not known:
                    continue
                self._build_if_due()
                self._advance(producer)
                if time.monotonic() - reported >= health.EVERY:
                    reported = time.monotonic()
                    producer.produce(health.TOPIC, key="tables", value=self._health().to_json())
                    producer.poll(0)
        finally:
            reader.close()

    def _on_receipt(self, receipt: Receipt) -> None:
        if receipt.state == "live":
            self._applied = receipt.at
        self._screens.show(receipt, self._applied)
        known = self._receipt
        if known is not None and receipt.generation < known.generation:
            return
        if receipt.state == "building":
            self._receipt = receipt
        elif known is not None and receipt.state in ("caught-up", "live"):
            self._receipt = replace(known, state=receipt.state)

    def _build_if_due(self) -> None:
        """Build the tables of a new generation, or make failed ones anew."""
        if self._receipt is None:
            return
        failed = [name for name, table in self._stable.views.items() if table.j_table.isFailed()]
        if failed:
            if time.monotonic() < self._next_rebuild:
                return
            _log.error("tables %s failed; making all of them anew", ", ".join(failed))
            self._rebuild_wait = min(2 * self._rebuild_wait, _LONGEST_WAIT)
            self._next_rebuild = time.monotonic() + self._rebuild_wait
            self._stable = self._export_stable()
        elif self._built == self._receipt.generation:
            return
        self._build(self._receipt.generation)

    def _build(self, generation: int) -> None:
        """Build the tables of a generation and make them the active ones."""
        old, self._scope = self._scope, LivenessScope()
        _log.info("%s generation %d: building tables", self._flow.name, generation)
        client = {"bootstrap.servers": self._bootstrap, "max.partition.fetch.bytes": "4194304"}
        with self._scope.open():
            self._ingest = Ingest(client, self._flow, generation)
        self._builds += 1
        previous = self._stable.build
        self._stable.register(self._builds, self._ingest.views)
        self._stable.flip(self._builds)
        self._stable.forget(previous)
        self._built = generation
        if old is not None:
            old.release()

    def _advance(self, producer: Producer) -> None:
        """Write `caught-up` and `live` once every source partition has reached its end."""
        receipt = self._receipt
        if receipt is None or receipt.state != "building" or self._ingest is None:
            return
        if not receipts.reached(receipt, self._seen()):
            return
        for state in ("caught-up", "live"):
            step = replace(receipt, state=state, at=_now(), rows=self._rows())
            producer.produce(topics.RECEIPTS, key=step.key, value=step.to_json())
        if producer.flush(5):
            raise KafkaError(f"receipts could not be written to {topics.RECEIPTS} in 5 s")
        self._receipt = replace(receipt, state="live")
        _log.info("%s generation %d: live", receipt.flow, receipt.generation)

    def _export_stable(self) -> StableViews:
        empty = {v.name: _empty(self._flow, v) for v in self._flow.views}
        stable = StableViews(self._flow, empty)
        for name, table in stable.views.items():
            self._exports[name] = table
        return stable

    def _seen(self) -> Offsets:
        """Return the highest offset seen of each source partition, over all changelogs."""
        seen: Offsets = {}
        for table in self._ingest.progress.values() if self._ingest else ():
            for topic, partition, offset, _ in _snapshot(table):
                place = seen.setdefault(str(topic), {})
                place[str(partition)] = max(place.get(str(partition), -1), int(offset))
        return seen

    def _rows(self) -> dict[str, int]:
        return {name: table.size for name, table in self._stable.views.items()}

    def _health(self) -> health.Health:
        times = [
            int(ts)
            for table in (self._ingest.progress.values() if self._ingest else ())
            for _, _, _, ts in _snapshot(table)
        ]
        now = time.time()
        return health.Health(
            part="tables",
            at=now,
            state=self._receipt.state if self._receipt else "waiting for a generation",
            generation=self._receipt.generation if self._receipt else 0,
            rows=self._rows(),
            age=round(now - max(times) / 1000, 3) if times else None,
        )


def start(settings: Settings, exports: Exports) -> None:
    """Export the tables and start the thread that keeps them right."""
    app = App(settings, exports)
    threading.Thread(target=app.run, name="tidegrid-tables", daemon=True).start()


def is_end(message: Message) -> bool:
    """Whether a message says that a partition has been read to its end."""
    error = message.error()
    return error is not None and error.code() == Librdkafka._PARTITION_EOF


def _snapshot(table: Table) -> list[tuple[object, int, int, int]]:
    if table.size == 0:
        return []
    columns = [
        dhnp.to_numpy(table, [name])[:, 0] for name in ("topic", "partition", "offset", "ts")
    ]
    return list(zip(*columns, strict=False))


def _empty(flow: Flow, view: View) -> Table:
    """Return a table with a view's columns and no rows."""
    changelog: Changelog = flow.changelog(view.changelog)
    columns = [_COLUMNS[kind](name, []) for name, kind in changelog.columns.items()]
    return shape(new_table(columns), view, changelog, flow)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")

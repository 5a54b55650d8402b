"""The app inside Deephaven: exports the stable views and follows the receipts.

One thread reads the receipts and looks after the tables. It builds each generation's tables beside
the active ones; when every source of a new one has been read to the end its receipt names, it
writes `caught-up`, flips all views in one update cycle, and writes `live`. It lets go of a
generation's tables when a receipt says that it is over. If a table fails it makes all of them anew:
a handle of a failed table is dead, so viewers attach again by name.
"""

from __future__ import annotations

import itertools
import threading
import time
from dataclasses import dataclass, replace
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
from deephaven.liveness_scope import LivenessScope, liveness_scope
from deephaven.table import Table
from deephaven.update_graph import exclusive_lock

from tidegrid import kafka, logs
from tidegrid.contract import control, health, receipts, topics
from tidegrid.contract.receipts import Life, Offsets, Receipt
from tidegrid.contract.views import CUSTOMERS, Changelog, Flow, View
from tidegrid.errors import KafkaError
from tidegrid.settings import Settings
from tidegrid.tables.ingest import Ingest, shape, texts
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


@dataclass(frozen=True)
class Built:
    """The tables of one generation, and what holds them."""

    number: int
    scope: LivenessScope
    ingest: Ingest

    @property
    def rows(self) -> dict[str, int]:
        """How many rows each view has."""
        return {name: table.size for name, table in self.ingest.views.items()}

    @property
    def seen(self) -> Offsets:
        """The highest offset seen of each source partition, over all changelogs."""
        seen: Offsets = {}
        for table in self.ingest.progress.values():
            for topic, partition, offset, _ in _snapshot(table):
                place = seen.setdefault(str(topic), {})
                place[str(partition)] = max(place.get(str(partition), -1), int(offset))
        return seen


class App:
    """The tables of all flows, and the thread that keeps them right."""

    def __init__(self, settings: Settings, exports: Exports) -> None:
        self._settings = settings
        self._bootstrap = settings.kafka.bootstrap
        self._exports = exports
        self._context = get_exec_ctx()
        self._screens = Screens()
        self._flow = CUSTOMERS
        self._numbers = itertools.count(1)
        self._built: dict[int, Built] = {}
        #: The generation that viewers see; 0 is none.
        self._active = 0
        self._receipts: list[Receipt] = []
        self._control_raw: Table | None = None
        self._rebuild_wait, self._next_rebuild = 0.5, 0.0
        self._applied = ""
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
        kafka.ensure_topics(self._bootstrap, {control.TOPIC: 1}, control.TOPIC_CONFIG)
        if self._control_raw is None:
            self._control_raw = texts({"bootstrap.servers": self._bootstrap}, control.TOPIC)
            self._exports["control_raw"] = self._control_raw
        reader = kafka.reader(self._bootstrap, **{"enable.partition.eof": True})
        producer = kafka.producer(self._bootstrap, **{"message.timeout.ms": 5000})
        try:
            reader.assign([TopicPartition(topics.RECEIPTS, 0, 0)])
            reported = 0.0
            known = False
            while True:
                # Short while something is building, so that `live` follows at once.
                message = reader.poll(0.05 if self._pending() else health.EVERY / 2)
                if message is not None and message.error() is None:
                    receipt = receipts.parse(message.value())
                    if receipt is not None and receipt.flow == self._flow.name:
                        self._on_receipt(receipt)
                    continue
                # All receipts are read once the end is reached: only then is it clear which
                # generations run.
                known = known or (message is not None and is_end(message))
                if not known:
                    continue
                self._rebuild_failed()
                self._build_and_release()
                self._advance(producer)
                if time.monotonic() - reported >= health.EVERY:
                    reported = time.monotonic()
                    producer.produce(health.TOPIC, key="tables", value=self._health().to_json())
                    producer.poll(0)
        finally:
            reader.close()

    @property
    def _lives(self) -> dict[int, Life]:
        return receipts.lives(self._receipts, self._flow.name)

    def _pending(self) -> bool:
        return any(life.state in ("building", "caught-up") for life in self._lives.values())

    def _on_receipt(self, receipt: Receipt) -> None:
        # After a lost connection they are read again from the start.
        if receipt in self._receipts:
            return
        if receipt.state == "live":
            self._applied = receipt.at
        self._screens.show(receipt, self._applied)
        self._receipts.append(receipt)

    def _rebuild_failed(self) -> None:
        """Make all tables anew if one has failed."""
        failed = [name for name, table in self._stable.views.items() if table.j_table.isFailed()]
        failed += [
            f"{name} of generation {generation}"
            for generation, built in self._built.items()
            for name, table in built.ingest.views.items()
            if generation != self._active and table.j_table.isFailed()
        ]
        if not failed or time.monotonic() < self._next_rebuild:
            return
        _log.error("tables %s failed; making all of them anew", ", ".join(failed))
        self._rebuild_wait = min(2 * self._rebuild_wait, _LONGEST_WAIT)
        self._next_rebuild = time.monotonic() + self._rebuild_wait
        old, self._built, self._active = self._built, {}, 0
        self._stable = self._export_stable()
        for built in old.values():
            built.scope.release()

    def _build_and_release(self) -> None:
        """Have the tables of every generation that runs, and of no other."""
        states = self._lives
        for generation in [g for g, life in states.items() if life.running]:
            if generation not in self._built:
                self._build(generation)
        if self._active == 0:
            # Nobody is disturbed: what is live, or else what is being built, shows at once.
            running = [g for g in states if g in self._built]
            shown = receipts.live(self._receipts, self._flow.name) or next(iter(running), 0)
            if shown:
                self._flip(shown)
        for generation in [g for g in self._built if not states[g].running]:
            if generation != self._active:
                self._release(generation)

    def _build(self, generation: int) -> None:
        _log.info("%s generation %d: building tables", self._flow.name, generation)
        client = {"bootstrap.servers": self._bootstrap, "max.partition.fetch.bytes": "4194304"}
        scope = LivenessScope()
        # No cycle may run before all tables hang on the streams: what comes in it would be lost.
        with scope.open(), exclusive_lock(self._context.update_graph):
            events = self._settings.customers.event_list
            ingest = Ingest(client, self._flow, generation, events)
        built = Built(next(self._numbers), scope, ingest)
        self._stable.register(built.number, ingest.views)
        self._built[generation] = built

    def _flip(self, generation: int) -> None:
        self._stable.flip(self._built[generation].number)
        self._active = generation

    def _release(self, generation: int) -> None:
        built = self._built.pop(generation)
        self._stable.forget(built.number)
        built.scope.release()
        _log.info("%s generation %d: tables let go", self._flow.name, generation)

    def _advance(self, producer: Producer) -> None:
        """Let a generation take over once every source partition has reached its end."""
        due = [g for g, life in self._lives.items() if life.state in ("building", "caught-up")]
        if not due:
            return
        generation = due[-1]
        life, built = self._lives[generation], self._built[generation]
        if not receipts.reached(life.birth, built.seen):
            return
        before = self._built[self._active].rows if self._active not in (0, generation) else {}
        step = replace(life.birth, state="caught-up", at=_now(), rows=built.rows, before=before)
        if life.state == "building":
            problem = guard(step, self._flow, self._settings.swap.min_rows_ratio)
            if problem:
                self._write(producer, replace(step, state="failed", reason=problem))
                return
            self._write(producer, step)
        self._flip(generation)
        self._write(producer, replace(step, state="live", at=_now()))
        _log.info("%s generation %d: live", self._flow.name, generation)

    def _write(self, producer: Producer, receipt: Receipt) -> None:
        producer.produce(topics.RECEIPTS, key=receipt.key, value=receipt.to_json())
        if producer.flush(5):
            raise KafkaError(f"receipts could not be written to {topics.RECEIPTS} in 5 s")
        self._on_receipt(receipt)

    def _export_stable(self) -> StableViews:
        empty = {v.name: _empty(self._flow, v) for v in self._flow.views}
        stable = StableViews(self._flow, empty)
        for name, table in stable.views.items():
            self._exports[name] = table
        return stable

    def _health(self) -> health.Health:
        active = self._built.get(self._active)
        times = [
            int(ts)
            for table in (active.ingest.progress.values() if active else ())
            for _, _, _, ts in _snapshot(table)
        ]
        now = time.time()
        life = self._lives.get(self._active)
        return health.Health(
            part="tables",
            at=now,
            state=life.state if life else "waiting for a generation",
            generation=self._active,
            rows={name: table.size for name, table in self._stable.views.items()},
            age=round(now - max(times) / 1000, 3) if times else None,
        )


def guard(step: Receipt, flow: Flow, ratio: float) -> str:
    """Return why a flip would empty the screens too much, or nothing if it would not."""
    lists = {v.name for v in flow.views if "slot" in v.key}
    for view, rows in step.before.items():
        if view not in lists and step.rows.get(view, 0) < ratio * rows:
            return (
                f"guard: {view} would go from {rows} rows to {step.rows.get(view, 0)}, "
                f"and swap.min_rows_ratio is {ratio}"
            )
    return ""


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
    # In a scope of its own: what is made to read a table would hold it, and its consumer, for good.
    with liveness_scope():
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

"""The app inside Deephaven: exports the stable views and follows the receipts."""

from __future__ import annotations

import threading
import time
from collections import Counter
from dataclasses import dataclass

from confluent_kafka import OFFSET_END, Message, TopicPartition
from confluent_kafka import KafkaError as Librdkafka
from deephaven import merge
from deephaven.execution_context import get_exec_ctx
from deephaven.table import Table

from tidegrid import kafka, logs
from tidegrid.book import Book
from tidegrid.contract import control, health, topics
from tidegrid.contract.receipts import Offsets
from tidegrid.contract.views import FLOWS
from tidegrid.ends import Ends, Whom
from tidegrid.errors import KafkaError
from tidegrid.patience import Patience
from tidegrid.settings import Settings
from tidegrid.tables import figures, gold
from tidegrid.tables.arrivals import Arrivals
from tidegrid.tables.flow_tables import Exports, FlowTables, More
from tidegrid.tables.ingest import texts
from tidegrid.tables.requests import Requests
from tidegrid.tables.screens import Screens

_log = logs.get("tables")

_READER = {
    "max.partition.fetch.bytes": "4194304",
    # Tables are built while no cycle runs: a broker that hangs must not hold it up for a minute.
    "default.api.timeout.ms": "5000",
}


class Rejects:
    """Exports: all names as they are, but the `rejects` of all flows as one table."""

    def __init__(self, exports: Exports) -> None:
        self._exports = exports
        self._tables: dict[str, Table] = {}

    def of(self, flow: str) -> Exports:
        """Return the exports of one flow."""
        return _FlowExports(self, flow)

    def put(self, flow: str, name: str, value: object) -> None:
        """Export a table of a flow."""
        if name == "rejects":
            assert isinstance(value, Table)
            self._tables[flow] = value
            # Of a flow whose table has failed there is a new one in a moment.
            value = merge([t for t in self._tables.values() if not t.j_table.isFailed()])
        self._exports[name] = value


@dataclass(frozen=True)
class _FlowExports:
    all: Rejects
    flow: str

    def __setitem__(self, name: str, value: object) -> None:
        self.all.put(self.flow, name, value)


class App:
    """The tables of all flows, and the thread that keeps them right."""

    def __init__(self, settings: Settings, exports: Exports) -> None:
        self._connection = settings.connection
        self._exports = exports
        self._context = get_exec_ctx()
        self._book = Book(self._connection)
        self._screens = Screens(settings.swap.linger_seconds)
        self._ends = Ends(self._connection)
        self._reports = health.Reports()
        self._requests = Requests(self._connection, self._context, self._screens, self._book.ledger)
        self._arrivals = Arrivals(
            self._context.update_graph, {**_READER, **self._connection.java4()}
        )
        ratio = settings.guard.min_rows_ratio
        shared = Rejects(exports)
        more: dict[str, More] = {"positions": lambda v: gold.screens(v, settings.positions)}
        self._flows = {
            name: FlowTables(
                flow,
                self._arrivals,
                shared.of(name),
                self._context,
                self._screens,
                ratio,
                more.get(name, lambda _: {}),
            )
            for name, flow in FLOWS.items()
        }
        self._control_raw: Table | None = None
        for name, table in {**self._screens.tables, **self._requests.tables}.items():
            exports[name] = table

    def run(self) -> None:
        """Follow the receipts for ever; a broker that is away is waited for."""
        self._arrivals.start()
        self._requests.start()
        self._ends.start()
        with self._context:
            patience = Patience()
            while True:
                began = time.monotonic()
                try:
                    self._follow()
                except Exception as e:
                    wait = patience.wait(well=time.monotonic() - began)
                    if isinstance(e, KafkaError):
                        _log.warning("%s; trying again in %.0f s", e, wait)
                    else:
                        _log.exception("the tables' thread failed; again in %.0f s", wait)
                    time.sleep(wait)

    def _follow(self) -> None:
        kafka.ensure_topics(self._connection, {topics.RECEIPTS: 1}, topics.RECEIPTS_CONFIG)
        kafka.ensure_topics(self._connection, {health.TOPIC: 1}, health.TOPIC_CONFIG)
        kafka.ensure_topics(self._connection, {control.TOPIC: 1}, control.TOPIC_CONFIG)
        self._export_control()
        reader = kafka.reader(self._connection, **{"enable.partition.eof": True})
        reporter = kafka.reporter(self._connection)
        try:
            reader.assign(
                [
                    TopicPartition(topics.RECEIPTS, 0, self._book.position),
                    TopicPartition(health.TOPIC, 0, OFFSET_END),
                ]
            )
            reported = 0.0
            known = False
            while True:
                # Short while something is building, so that `live` follows at once.
                message = reader.poll(0.05 if self._pending() else health.EVERY / 2)
                while message is not None:
                    if message.topic() == health.TOPIC:
                        self._on_report(message)
                    elif message.error() is None:
                        self._on_receipt(message)
                    # All receipts are read once the end is reached: only then is it clear which
                    # generations run.
                    known = known or (message.topic() == topics.RECEIPTS and is_end(message))
                    message = reader.poll(0)
                if not known:
                    continue
                for flow in self._flows.values():
                    flow.follow(self._book)
                if time.monotonic() - reported >= health.EVERY:
                    reported = time.monotonic()
                    report = self._health()
                    reporter.produce(health.TOPIC, key=report.part, value=report.to_json())
                    reporter.poll(0)
                    self._reports.take(report)
                    self._screens.health(self._reports, report.at)
                    self._export_control()
        finally:
            reader.close()

    def _export_control(self) -> None:
        """Export the control messages, if that was not done or their table has failed."""
        if self._control_raw is None or self._control_raw.j_table.isFailed():
            self._control_raw = texts(self._connection.java4(), control.TOPIC)
            self._exports["control_raw"] = self._control_raw

    def _pending(self) -> bool:
        return any(self._book.ledger.coming(name) is not None for name in self._flows)

    def _on_receipt(self, message: Message) -> None:
        removed = self._book.removed(message)
        if removed is not None:
            self._screens.forget(removed)
        receipt = self._book.take(message)
        if receipt is not None:
            self._screens.show(receipt, self._book.ledger)

    def _on_report(self, message: Message) -> None:
        """Take what another part reports."""
        report = health.parse(message.value()) if message.error() is None else None
        if report is not None and report.part != "tables":
            self._reports.take(report)

    def _health(self) -> health.Health:
        now = time.time()
        newest: list[int] = []
        states = []
        # Added up, for the rejects of all flows are one table.
        rows = Counter[str]()
        found: list[health.Figure] = []
        read: dict[Whom, Offsets] = {}
        # Before what has come is looked at: the lag is of what was there then.
        ends = self._ends.known
        for name, flow in self._flows.items():
            for generation, seen in flow.seen.items():
                read[seen.whom] = seen.read
                found += figures.of_generation(seen, ends.get(seen.whom, {}))
                if generation == flow.active and seen.newest is not None:
                    newest.append(seen.newest)
            shown = flow.rows
            rows.update(shown)
            found += figures.of_views(name, flow.active, shown)
            life = self._book.ledger.lives(name).get(flow.active)
            states.append(life.state if life else "waiting for a generation")
        self._ends.follow(read)
        return health.Health(
            part="tables",
            at=now,
            state="live" if "live" in states else states[0],
            generation=max(flow.active for flow in self._flows.values()),
            rows=dict(rows),
            age=round(now - max(newest) / 1000, 3) if newest else None,
            figures=tuple(found),
        )


def start(settings: Settings, exports: Exports) -> None:
    """Export the tables and start the thread that keeps them right."""
    app = App(settings, exports)
    threading.Thread(target=app.run, name="tidegrid-tables", daemon=True).start()


def is_end(message: Message) -> bool:
    """Whether a message says that a partition has been read to its end."""
    error = message.error()
    return error is not None and error.code() == Librdkafka._PARTITION_EOF

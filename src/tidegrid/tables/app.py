"""The app inside Deephaven: exports the stable views and follows the receipts."""

from __future__ import annotations

import threading
import time
from collections import Counter

from confluent_kafka import OFFSET_END, Message, TopicPartition
from confluent_kafka import KafkaError as Librdkafka
from deephaven.execution_context import get_exec_ctx

from tidegrid import kafka, logs
from tidegrid.contract import health, topics
from tidegrid.contract.declaration import parse
from tidegrid.contract.declaration.types import Flow
from tidegrid.contract.layout import layout
from tidegrid.contract.receipts import Offsets, Receipt
from tidegrid.contract.views import Types
from tidegrid.errors import KafkaError
from tidegrid.kafka.ends import Ends, Whom
from tidegrid.kafka.own import ensure_own_topics, readable
from tidegrid.kafka.receipt_log import ReceiptLog
from tidegrid.retry import Retry
from tidegrid.settings import Settings
from tidegrid.tables import figures
from tidegrid.tables.arrivals import Arrivals
from tidegrid.tables.catalogue import Catalogue
from tidegrid.tables.exports import Application, Exports
from tidegrid.tables.flow_tables import FlowTables
from tidegrid.tables.ingest import texts
from tidegrid.tables.looks import Looks
from tidegrid.tables.replica import Replica
from tidegrid.tables.requests import Requests
from tidegrid.tables.status import Status

_log = logs.get("tables")

_READER = {
    "max.partition.fetch.bytes": "4194304",
    # Tables are built while no cycle runs: a broker that hangs must not hold it up for a minute.
    "default.api.timeout.ms": "5000",
}


class App:
    """The tables of all flows, and the thread that keeps them right."""

    def __init__(self, settings: Settings, application: Application) -> None:
        self._connection = settings.connection
        self._context = get_exec_ctx()
        self._replica = Replica(settings)
        self._receipts = ReceiptLog(self._connection, "tables")
        #: Receipts that are taken and not yet shown, by key.
        self._news: dict[str, Receipt] = {}
        self._declared = {n: parse(d, n) for n, d in settings.declared().items()}
        sources = dict.fromkeys(s for flow in self._declared.values() for s in flow.sources)
        self._status = Status(list(sources), settings.swap.linger_seconds)
        self._catalogue = Catalogue(self._receipts.ledger)
        self._ends = Ends(self._connection)
        self._reports = health.Reports()
        self._requests = Requests(
            self._connection, self._context, self._status, self._receipts.ledger, self._declared
        )
        self._looks = Looks(self._connection, self._context, self._receipts.ledger, self._declared)
        self._arrivals = Arrivals(
            self._context.update_graph, {**_READER, **self._connection.java4()}
        )
        self._guard = settings.guard
        self._exports = Exports(application)
        own = (self._status, self._requests, self._looks, self._catalogue)
        self._own = {name: table for part in own for name, table in part.tables.items()}
        self._exports.put("", self._own)
        self._flows: dict[str, FlowTables] = {}
        self._retries: dict[str, tuple[Retry, float]] = {}
        for flow in self._declared.values():
            self._add(flow.name).stage.declare(flow, layout(flow, _guessed(flow)))

    def run(self) -> None:
        """Follow the receipts for ever; a broker that is away is waited for."""
        self._arrivals.start()
        self._requests.start()
        self._looks.start()
        self._ends.start()
        with self._context:
            retry = Retry()
            while True:
                began = time.monotonic()
                try:
                    self._follow()
                except Exception as e:
                    wait = retry.wait(well=time.monotonic() - began)
                    if isinstance(e, KafkaError):
                        _log.warning("%s; trying again in %.0f s", e, wait)
                    else:
                        _log.exception("the tables' thread failed; again in %.0f s", wait)
                    time.sleep(wait)

    def _follow(self) -> None:
        ensure_own_topics(self._connection)
        self._replica.join()
        self._export_control()
        reader = kafka.reader(self._connection, **{"enable.partition.eof": True})
        reporter = kafka.reporter(self._connection)
        try:
            reader.assign(
                [
                    TopicPartition(topics.RECEIPTS, 0, self._receipts.position),
                    TopicPartition(topics.HEALTH, 0, OFFSET_END),
                ]
            )
            reported = 0.0
            known = False
            while True:
                # Short while something is building, so that `live` follows at once.
                soon = self._pending() or self._replica.waits
                message = reader.poll(0.05 if soon else health.EVERY / 2)
                while message is not None:
                    if message.topic() == topics.HEALTH:
                        self._on_report(message)
                    elif message.error() is None:
                        self._on_receipt(message)
                    elif message.topic() == topics.RECEIPTS and not is_end(message):
                        # Such as no right to read it: nothing would ever come, and nobody know.
                        raise KafkaError(f"receipts cannot be read: {message.error()}")
                    # All receipts are read once the end is reached: only then is it clear which
                    # generations run.
                    known = known or (message.topic() == topics.RECEIPTS and is_end(message))
                    message = reader.poll(0)
                self._show_news()
                if not known:
                    continue
                # Asked on every turn: it is how the group hears of this process.
                part = self._replica.part
                self._replica.leads()
                self._follow_flows()
                if part != self._replica.part or time.monotonic() - reported >= health.EVERY:
                    reported = time.monotonic()
                    report = self._health()
                    reporter.produce(topics.HEALTH, key=report.part, value=report.to_json())
                    reporter.poll(0)
                    self._reports.take(report)
                    self._status.health(self._reports, report.at)
                    self._export_control()
        finally:
            reader.close()

    def _follow_flows(self) -> None:
        """Do what the receipts ask for, flow by flow: what fails in one leaves the others alone."""
        ledger = self._receipts.ledger
        for name in ledger.flows:
            running = [life for life in ledger.lives(name).values() if life.running]
            if name not in self._flows and any(life.birth.of_this_version for life in running):
                self._add(name)
        for name in list(self._flows):
            self._follow_flow(name)
        self._exports.rebuild_rejects()

    def _follow_flow(self, flow: str) -> None:
        """Do what the receipts ask of a flow; if that fails, not again before some time."""
        retry, then = self._retries.setdefault(flow, (Retry(), 0.0))
        begun = time.monotonic()
        if begun < then:
            return
        try:
            if self._is_over(flow):
                self._remove(flow)
            else:
                self._flows[flow].follow(self._receipts)
        except Exception as e:
            wait = retry.wait(well=begun - then)
            self._retries[flow] = retry, time.monotonic() + wait
            about = {"flow": flow}
            if isinstance(e, KafkaError):
                _log.warning("%s: %s; trying again in %.0f s", flow, e, wait, extra=about)
            else:
                _log.exception("%s: its tables failed; again in %.0f s", flow, wait, extra=about)

    def _add(self, name: str) -> FlowTables:
        self._flows[name] = FlowTables(
            name,
            self._arrivals,
            self._exports,
            self._status,
            self._catalogue,
            self._guard,
            self._replica.leads,
        )
        return self._flows[name]

    def _is_over(self, name: str) -> bool:
        """Whether a flow was removed, or has nothing left and is not declared."""
        lives = self._receipts.ledger.lives(name)
        if any(life.running for life in lives.values()):
            return False
        removed = bool(lives) and lives[max(lives)].reason.startswith("removed")
        return removed or name not in self._declared

    def _remove(self, name: str) -> None:
        del self._retries[name]
        self._status.remove(name)
        self._flows.pop(name).stage.close()
        _log.info("%s: its tables are gone", name, extra={"flow": name})

    def _export_control(self) -> None:
        """Export the control messages, if that was not done or their table has failed."""
        raw = self._own.get("control_raw")
        if raw is None or raw.j_table.isFailed():
            self._own["control_raw"] = texts(self._connection.java4(), topics.CONTROL)
            self._exports.put("", self._own)

    def _pending(self) -> bool:
        ledger = self._receipts.ledger
        return any(ledger.pending(n) is not None or f.behind for n, f in self._flows.items())

    def _on_receipt(self, message: Message) -> None:
        removed = self._receipts.removed(message)
        if removed is not None:
            self._news.pop(removed.key, None)
            self._status.forget(removed)
        receipt = self._receipts.take(message)
        if receipt is not None:
            self._news[receipt.key] = receipt

    def _show_news(self) -> None:
        self._status.show(self._news.values(), self._receipts.ledger)
        for flow in {receipt.flow for receipt in self._news.values()}:
            self._catalogue.show(flow)
        self._news = {}

    def _on_report(self, message: Message) -> None:
        """Take what another part reports."""
        if message.error() is None and message.value() is not None:
            report = readable(message, health.parse(message.value()))
            if report is not None and report.part != self._replica.part:
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
                if generation == flow.stage.active and seen.newest is not None:
                    newest.append(seen.newest)
            shown = flow.stage.rows
            rows.update(shown)
            found += figures.of_views(name, flow.stage.active, shown)
            life = self._receipts.ledger.lives(name).get(flow.stage.active)
            states.append(life.state if life else "waiting for a generation")
        self._ends.follow(read)
        return health.Health(
            part=self._replica.part,
            at=now,
            state="live" if "live" in states else next(iter(states), "no flows"),
            generation=max((flow.stage.active for flow in self._flows.values()), default=0),
            rows=dict(rows),
            age=round(now - max(newest) / 1000, 3) if newest else None,
            # Those of one count: the others show the same.
            figures=tuple(found) if self._replica.part == "tables" else (),
        )


def start(settings: Settings, application: Application) -> None:
    """Export the tables and start the thread that keeps them right."""
    app = App(settings, application)
    threading.Thread(target=app.run, name="tidegrid-tables", daemon=True).start()


def _guessed(flow: Flow) -> Types:
    """Return types for derived columns, before Spark has told them: names are there at once."""
    return {s.name: dict.fromkeys(s.columns, "string") for s in flow.sources.values()}


def is_end(message: Message) -> bool:
    """Whether a message says that a partition has been read to its end."""
    error = message.error()
    return error is not None and error.code() == Librdkafka._PARTITION_EOF

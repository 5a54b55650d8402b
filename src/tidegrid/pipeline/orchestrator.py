"""The pipeline process: starts Spark, and acts on control messages and receipts as they come."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from confluent_kafka import OFFSET_END, Consumer, Message, TopicPartition
from py4j.protocol import Py4JError

from tidegrid import kafka, logs
from tidegrid.contract import control, declaration, health, messages, topics
from tidegrid.contract.health import Reports
from tidegrid.contract.messages import Apply, Refuse, Remove, Request, Swap
from tidegrid.contract.slots import slots_needed
from tidegrid.errors import KafkaError, first_line
from tidegrid.kafka.ends import Ends
from tidegrid.kafka.own import ensure_own_topics, readable
from tidegrid.kafka.receipt_log import ReceiptLog
from tidegrid.pipeline import figures, metrics, session, spark_internals, swaps
from tidegrid.pipeline.lead import Lead
from tidegrid.pipeline.lease import Lease, alone_at_home
from tidegrid.pipeline.slots import Engine
from tidegrid.settings import Settings

_log = logs.get("pipeline")

#: A pause this long ends a burst of control messages, in seconds.
_BURST = 0.05


def run(settings: Settings, stop: threading.Event) -> None:
    """Run all flows until `stop` is set."""
    connection = settings.connection
    cluster = kafka.wait(connection, stop, _log.warning)
    with alone_at_home(settings.home / "pipeline.lock", stop) as alone:
        if not alone or not cluster:
            return
        ensure_own_topics(connection)
        with Lease(connection, settings.home) as lease:
            if not lease.wait(stop):
                return
            # A checkpoint belongs to a cluster: offsets of another one mean nothing here.
            folder = settings.checkpoints / cluster
            receipt_log = ReceiptLog.read(connection, "pipeline")
            orchestrator = Orchestrator(settings, receipt_log, folder, lease)
            with metrics.served(settings.pipeline, orchestrator.reports):
                try:
                    orchestrator.start()
                    orchestrator.follow(stop)
                finally:
                    _log.info("stopping")
                    orchestrator.close()


class Orchestrator:
    """Spark, the leads of all flows, and the thread that follows the topics."""

    def __init__(
        self, settings: Settings, receipt_log: ReceiptLog, folder: Path, lease: Lease
    ) -> None:
        self._settings = settings
        self._connection = settings.connection
        self._receipts = receipt_log
        self._folder = folder
        self._lease = lease
        self._documents = settings.declared()
        self._declared = {n: declaration.parse(d, n) for n, d in self._documents.items()}
        #: A flow has one as long as there is something to do about it.
        self._leads: dict[str, Lead] = {}
        for flow in (*self._documents, *receipt_log.ledger.flows):
            self._lead(flow)
        self._engine: Engine | None = None
        self._ends = Ends(self._connection)
        #: What the parts say of themselves.
        self.reports = Reports()

    def start(self) -> None:
        """Start Spark, what ran before and what is due."""
        slots = sum(slots_needed(lead.demands()) for lead in self._leads.values())
        _log.info("starting Spark")
        engine = self._engine = session.start(self._settings, slots)
        for lead in self._leads.values():
            with self._guarded(lead):
                lead.start(engine)

    def follow(self, stop: threading.Event) -> None:
        """Act on control messages and receipts as they come."""
        assert self._engine is not None
        self._ends.start()
        reader = kafka.reader(self._connection)
        places = [
            TopicPartition(topics.RECEIPTS, 0, self._receipts.position),
            TopicPartition(topics.CONTROL, 0, self._receipts.ledger.handled + 1),
        ]
        if self._settings.pipeline.metrics_port:
            places.append(TopicPartition(topics.HEALTH, 0, OFFSET_END))
        reader.assign(places)
        reporter = kafka.reporter(self._connection)
        reported = 0.0
        try:
            while not stop.is_set():
                self._read(reader)
                self._turn(self._engine)
                if time.monotonic() - reported >= health.EVERY:
                    reported = time.monotonic()
                    self._lease.require()
                    spark_internals.require_alive(self._engine.spark)
                    self._renew_after_a_loss(self._engine)
                    report = self._report(self._engine)
                    reporter.produce(topics.HEALTH, key=report.part, value=report.to_json())
                    reporter.poll(0)
        finally:
            reader.close()

    def close(self) -> None:
        """Stop everything; the receipts stay as they are."""
        for lead in self._leads.values():
            lead.close()
        if self._engine is not None:
            with contextlib.suppress(Py4JError, OSError):
                self._engine.spark.stop()

    def _lead(self, flow: str) -> Lead:
        """Return the lead of a flow; it is made if there is none."""
        if flow not in self._leads:
            document, folder = self._documents.get(flow), self._folder / flow
            self._leads[flow] = Lead(self._settings, flow, document, self._receipts, folder)
        return self._leads[flow]

    def _turn(self, engine: Engine) -> None:
        at = datetime.now(UTC)
        for lead in list(self._leads.values()):
            with self._guarded(lead):
                lead.turn(engine, at)
            if lead.idle:
                self._leads.pop(lead.flow).close()

    @contextlib.contextmanager
    def _guarded(self, lead: Lead) -> Iterator[list[str]]:
        """Do something for a flow; what goes wrong is told, and does not stop the other flows.

        Where Kafka cannot be asked or written, no flow can go on.
        """
        told: list[str] = []
        try:
            yield told
        except KafkaError:
            raise
        except Exception as e:
            lead.errors += 1
            told.append(first_line(e))
            _log.exception("%s: went wrong; going on", lead.flow, extra={"flow": lead.flow})

    def _renew_after_a_loss(self, engine: Engine) -> None:
        """Start all queries again if an executor is gone.

        Spark ends a query whose task has failed, but not always one whose tasks went with their
        executor: it may wait for them for ever.
        """
        lost = engine.slots.lost()
        if lost:
            for lead in self._leads.values():
                for generation in lead.generations.running.values():
                    if generation.query is not None:
                        generation.query.renew(f"executor {', '.join(sorted(lost))} is gone")

    def _report(self, engine: Engine) -> health.Health:
        leads, ends = self._leads.values(), self._ends.known
        self._ends.follow(
            {
                whom: changelogs
                for flow, lead in self._leads.items()
                for whom, changelogs in figures.written(
                    flow, lead.generations.running, ends
                ).items()
            }
        )
        report = figures.report(leads, engine.slots.total(), ends)
        self.reports.take(report)
        return report

    def _read(self, reader: Consumer) -> None:
        """Take in what has come on the topics, and act on the control messages in it."""
        requests: list[tuple[int, Request | Refuse]] = []
        flows = {**self._declared, **control.flows_of(self._receipts.ledger)}
        message = reader.poll(0.2)
        while message is not None:
            pause = 0.0
            if message.error() is not None:
                pass
            elif message.topic() == topics.RECEIPTS:
                self._receipts.take(message)
            elif message.topic() == topics.HEALTH:
                self._on_report(message)
            else:
                offset = message.offset() or 0
                request = messages.parse(message.value(), flows)
                requests.append((offset, request))
                if isinstance(request, Apply):
                    # A message right behind it may be about it.
                    flows[request.flow] = request.declared
                # These take seconds, and another may follow at once; nothing else waits.
                pause = _BURST if isinstance(request, Swap | Apply | Remove) else 0.0
            message = reader.poll(pause)
        self._act(requests)

    def _on_report(self, message: Message) -> None:
        """Take what another part reports."""
        report = readable(message, health.parse(message.value()))
        if report is not None and report.part != "pipeline":
            self.reports.take(report)

    def _act(self, requests: list[tuple[int, Request | Refuse]]) -> None:
        """Act on a burst of messages, in their order.

        A start goes on behind the last message that has a receipt.
        """
        superseded = swaps.superseded(requests)
        for offset, request in requests:
            if isinstance(request, Refuse):
                swaps.refuse(self._receipts, "", offset, request.reason)
                continue
            if offset in superseded:
                reasons = [f"superseded by message {superseded[offset]}"]
            else:
                lead = self._lead(request.flow)
                with self._guarded(lead) as reasons:
                    self._on_request(lead, offset, request)
            for reason in reasons:
                swaps.refuse(self._receipts, request.flow, offset, reason)

    def _on_request(self, lead: Lead, offset: int, request: Request) -> None:
        assert self._engine is not None
        used = sum(one.generations.slots for one in self._leads.values())
        free = self._engine.slots.total() - used
        lead.on_request(self._engine, offset, request, kafka.names(self._connection), free)

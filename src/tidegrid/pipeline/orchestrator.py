"""The pipeline process: starts Spark, and acts on control messages and receipts as they come."""

from __future__ import annotations

import contextlib
import threading
import time
from datetime import UTC, datetime
from pathlib import Path

from confluent_kafka import OFFSET_END, Consumer, Message, TopicPartition
from py4j.protocol import Py4JError

from tidegrid import kafka, logs
from tidegrid.book import Book
from tidegrid.contract import control, health, topics
from tidegrid.contract.control import Refuse
from tidegrid.contract.health import Health, Reports
from tidegrid.contract.slots import slots_needed
from tidegrid.ends import Ends
from tidegrid.pipeline import customers_flow, figures, metrics, positions_flow, session
from tidegrid.pipeline.lead import Lead, refuse
from tidegrid.pipeline.seat import Seat, alone_at_home
from tidegrid.pipeline.slots import Engine
from tidegrid.settings import Settings

_log = logs.get("pipeline")

FLOWS = (customers_flow.FLOW, positions_flow.FLOW)
#: A pause this long ends a burst of control messages, in seconds.
_BURST = 0.05


def run(settings: Settings, stop: threading.Event) -> None:
    """Run all flows until `stop` is set."""
    connection = settings.connection
    cluster = kafka.wait(connection, stop, _log.warning)
    with alone_at_home(settings.home / "pipeline.lock", stop) as alone:
        if not alone or not cluster:
            return
        kafka.ensure_topics(connection, {topics.RECEIPTS: 1}, topics.RECEIPTS_CONFIG)
        kafka.ensure_topics(connection, {health.TOPIC: 1}, health.TOPIC_CONFIG)
        kafka.ensure_topics(connection, {control.TOPIC: 1}, control.TOPIC_CONFIG)
        with Seat(connection, settings.home) as seat:
            if not seat.wait(stop):
                return
            # A checkpoint belongs to a cluster: offsets of another one mean nothing here.
            folder = settings.checkpoints / cluster
            orchestrator = Orchestrator(settings, Book.read(connection), folder, seat)
            with metrics.served(settings.pipeline, orchestrator.reports):
                try:
                    orchestrator.start()
                    orchestrator.follow(stop)
                finally:
                    _log.info("stopping")
                    orchestrator.close()


class Orchestrator:
    """Spark, the leads of all flows, and the thread that follows the topics."""

    def __init__(self, settings: Settings, book: Book, folder: Path, seat: Seat) -> None:
        self._settings = settings
        self._connection = settings.connection
        self._book = book
        self._seat = seat
        self._leads = {f.name: Lead(settings, f, book, folder / f.name) for f in FLOWS}
        self._engine: Engine | None = None
        self._ends = Ends(self._connection)
        #: What the parts say of themselves.
        self.reports = Reports()

    def start(self) -> None:
        """Start Spark, what ran before and what is due."""
        new = {name: lead.prepare() for name, lead in self._leads.items()}
        slots = sum(slots_needed(lead.demands(new[n])) for n, lead in self._leads.items())
        _log.info("starting Spark")
        self._engine = session.start(self._settings, slots)
        for name, lead in self._leads.items():
            lead.start(self._engine, new[name])

    def follow(self, stop: threading.Event) -> None:
        """Act on control messages and receipts as they come."""
        assert self._engine is not None
        self._ends.start()
        reader = kafka.reader(self._connection)
        places = [
            TopicPartition(topics.RECEIPTS, 0, self._book.position),
            TopicPartition(control.TOPIC, 0, self._book.ledger.handled + 1),
        ]
        if self._settings.pipeline.metrics_port:
            places.append(TopicPartition(health.TOPIC, 0, OFFSET_END))
        reader.assign(places)
        reporter = kafka.reporter(self._connection)
        reported = 0.0
        try:
            while not stop.is_set():
                messages = _burst(reader.poll(0.2), reader)
                for message in messages:
                    if message.topic() == topics.RECEIPTS:
                        self._book.take(message)
                    elif message.topic() == health.TOPIC:
                        self._on_report(message)
                self._on_control([m for m in messages if m.topic() == control.TOPIC])
                for lead in self._leads.values():
                    lead.move_on(datetime.now(UTC))
                    lead.begin_waiting(self._engine)
                    lead.replace_lost(self._engine)
                if time.monotonic() - reported >= health.EVERY:
                    reported = time.monotonic()
                    self._seat.require()
                    session.require_alive(self._engine.spark)
                    self._renew_after_a_loss(self._engine)
                    report = self._health()
                    self.reports.take(report)
                    reporter.produce(health.TOPIC, key=report.part, value=report.to_json())
                    reporter.poll(0)
        finally:
            reader.close()

    def _renew_after_a_loss(self, engine: Engine) -> None:
        """Start all queries again if an executor is gone.

        Spark ends a query whose task has failed, but not always one whose tasks went with their
        executor: it may wait for them for ever.
        """
        lost = engine.slots.lost()
        if lost:
            for lead in self._leads.values():
                for generation in lead.running.values():
                    if generation.query is not None:
                        generation.query.renew(f"executor {', '.join(sorted(lost))} is gone")

    def close(self) -> None:
        """Stop everything; the receipts stay as they are."""
        for lead in self._leads.values():
            lead.close()
        if self._engine is not None:
            with contextlib.suppress(Py4JError, OSError):
                self._engine.spark.stop()

    def _on_report(self, message: Message) -> None:
        """Take what another part reports."""
        report = health.parse(message.value())
        if report is not None and report.part != "pipeline":
            self.reports.take(report)

    def _on_control(self, messages: list[Message]) -> None:
        """Decide about a burst of messages: of each flow the last swap wins."""
        assert self._engine is not None
        requests = [(m.offset() or 0, control.parse(m.value())) for m in messages]
        last = {r.flow: offset for offset, r in requests if isinstance(r, control.Swap)}
        for offset, request in requests:
            if isinstance(request, Refuse):
                refuse(self._book, "", offset, request.reason)
            elif request.flow not in self._leads:
                reason = f"there is no flow {control.shown(request.flow)} here"
                refuse(self._book, "", offset, reason)
            elif isinstance(request, control.Swap) and offset != last[request.flow]:
                reason = f"superseded by message {last[request.flow]}"
                self._leads[request.flow].refuse(offset, reason)
            else:
                existing = kafka.names(self._connection)
                lead = self._leads[request.flow]
                lead.on_request(self._engine, offset, request, existing, self._free_slots())

    def _free_slots(self) -> int:
        assert self._engine is not None
        used = sum(lead.slots for lead in self._leads.values())
        return self._engine.slots.total() - used

    def _health(self) -> Health:
        assert self._engine is not None
        generations = [g for lead in self._leads.values() for g in lead.running.values()]
        queries = [g.query for g in generations if g.query is not None]
        down = [q for q in queries if not q.running]
        errors = [q.last_error for q in down if q.last_error]
        notes = dict.fromkeys(note for q in queries for note in q.notes)
        waiting = [q.waiting for q in queries if q.waiting]
        room, slots = sum(lead.room for lead in self._leads.values()), self._engine.slots.total()
        if slots < room and not waiting:
            notes[f"Spark has {slots} task slots and swaps need {room}: one may be refused"] = None
        numbers = [number for lead in self._leads.values() for number in lead.running]
        ends = self._ends.known
        self._ends.follow(
            {
                whom: changelogs
                for flow, lead in self._leads.items()
                for whom, changelogs in figures.written(flow, lead.running, ends).items()
            }
        )
        return Health(
            part="pipeline",
            at=time.time(),
            state="waiting" if waiting else "restarting" if down else "running",
            generation=max(numbers, default=0),
            detail="; ".join([*waiting, *errors, *notes]),
            restarts=sum(q.restarts for q in queries),
            figures=tuple(
                figure
                for flow, lead in self._leads.items()
                for figure in figures.of_flow(flow, self._book.ledger, lead.running, ends)
            ),
        )


def _burst(first: Message | None, reader: Consumer) -> list[Message]:
    """Return a message with all that come right behind it."""
    found: list[Message] = []
    message = first
    while message is not None:
        if message.error() is None:
            found.append(message)
        # A swap takes seconds, and another may follow at once; nothing else waits.
        swap = message.topic() == control.TOPIC and isinstance(
            control.parse(message.value()), control.Swap
        )
        message = reader.poll(_BURST if swap else 0)
    return found

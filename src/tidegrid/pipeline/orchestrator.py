"""The pipeline process: starts Spark, and acts on control messages and receipts as they come."""

from __future__ import annotations

import contextlib
import shutil
import threading
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from confluent_kafka import OFFSET_END, Consumer, Message, TopicPartition
from py4j.protocol import Py4JError

from tidegrid import kafka, logs
from tidegrid.contract import control, declaration, health, messages, topics
from tidegrid.contract.health import Reports
from tidegrid.contract.messages import Apply, Refuse, Remove, Request, Swap
from tidegrid.contract.receipts import flow_of
from tidegrid.contract.slots import slots_needed
from tidegrid.contract.topics import COPIES
from tidegrid.errors import KafkaError, first_line
from tidegrid.kafka.ends import Ends
from tidegrid.kafka.lease import Lease
from tidegrid.kafka.own import ensure_own_topics, readable
from tidegrid.kafka.receipt_log import ReceiptLog
from tidegrid.pipeline import figures, metrics, priority, session, spark_internals, swaps
from tidegrid.pipeline.generations import Generations
from tidegrid.pipeline.lead import Lead
from tidegrid.pipeline.lease import alone_at_home, copy_of_pair
from tidegrid.pipeline.rehearsal import Rehearsals
from tidegrid.pipeline.slots import Engine
from tidegrid.settings import Settings

_log = logs.get("pipeline")

#: A pause this long ends a burst of control messages, in seconds.
_BURST = 0.05
#: Seconds in which the receipts must be read before leading.
_TIMEOUT = 15.0
#: Seconds between two turns after which another pipeline may have got the lease.
_STOOD_STILL = 5.0


def run(settings: Settings, stop: threading.Event) -> None:
    """Run all flows until `stop` is set."""
    connection = settings.connection
    pair = settings.pipeline.pair
    with contextlib.ExitStack() as held:
        member = held.enter_context(alone_at_home(settings.home, stop, len(COPIES) if pair else 1))
        if not member:
            return
        if pair:
            # The other one may be all that viewers have: it is not to be slowed down.
            priority.lower()
        session.launch(settings)
        cluster = kafka.wait(connection, stop, _log.warning)
        if not cluster:
            return
        ensure_own_topics(connection)
        copy, leases = COPIES[0], []
        if pair:
            taken = held.enter_context(copy_of_pair(settings.home, connection, member, stop))
            if taken is None:
                return
            copy, leases = taken[0], [taken[1]]
        else:
            lease = held.enter_context(Lease(connection, member))
            if not lease.wait(stop):
                return
            # Of a pair that there was.
            for other in COPIES[1:]:
                shutil.rmtree(settings.checkpoints / f"{cluster}.{other}", ignore_errors=True)
        # A checkpoint belongs to a cluster: offsets of another one mean nothing here.
        folder = settings.checkpoints / (cluster if copy == COPIES[0] else f"{cluster}.{copy}")
        receipt_log = ReceiptLog.read(connection, "pipeline")
        orchestrator = Orchestrator(settings, receipt_log, folder, copy, leases)
        with metrics.served(settings.pipeline, orchestrator.reports):
            try:
                orchestrator.start()
                if pair:
                    # Not sooner: who leads can act at once.
                    lease = held.enter_context(Lease(connection, member))
                orchestrator.follow(stop, lease)
            finally:
                _log.info("stopping")
                orchestrator.close()


class Orchestrator:
    """Spark, the leads of all flows, and the thread that follows the topics.

    The pipeline that has the lease leads. The other one of a pair runs what is live beside it, and
    takes over when it gets the lease.
    """

    def __init__(
        self,
        settings: Settings,
        receipt_log: ReceiptLog,
        folder: Path,
        copy: str,
        leases: Sequence[Lease],
    ) -> None:
        """Make it; `leases` are those that it needs whether it leads or not."""
        self._settings = settings
        self._connection = settings.connection
        self._receipts = receipt_log
        self._folder = folder
        self._copy = copy
        self._leases = leases
        self._leading = False
        #: How far the clock of the pipeline that leads is behind the one here, in seconds.
        self._behind = 0.0
        self._documents = settings.declared()
        self._declared = {n: declaration.parse(d, n) for n, d in self._documents.items()}
        #: A flow has one as long as there is something to do about it.
        self._leads: dict[str, Lead] = {}
        for flow in (*self._documents, *receipt_log.ledger.flows):
            self._lead(flow)
        self._engine: Engine | None = None
        self._rehearsals: Rehearsals | None = None
        self._ends = Ends(self._connection)
        #: What the parts say of themselves.
        self.reports = Reports()

    def start(self) -> None:
        """Start Spark."""
        slots = sum(slots_needed(lead.demands()) for lead in self._leads.values())
        _log.info("starting Spark")
        self._engine = session.start(self._settings, slots)
        # What is warm on a cluster are its executors, of which others may come.
        local = session.is_local(self._engine.spark.sparkContext.master or "")
        if local and self._settings.pipeline.rehearse:
            self._rehearsals = Rehearsals(self._engine.spark)
        for lead in self._leads.values():
            # Checkpoints of what was over while nothing ran here; topics are for who leads.
            with self._guarded(lead):
                lead.generations.removals.orphans()

    def follow(self, stop: threading.Event, lease: Lease) -> None:
        """Act on receipts as they come and, with the lease, on control messages."""
        assert self._engine is not None
        self._ends.start()
        reader = kafka.reader(self._connection)
        reader.assign(self._places())
        reporter = kafka.reporter(self._connection)
        required = [*self._leases]
        # By the clock on the wall: a machine that sleeps stops the other one.
        reported, turned = 0.0, time.time()
        try:
            while not stop.is_set():
                requests = self._read(reader)
                if self._leading and abs(time.time() - turned) > _STOOD_STILL:
                    # Another may have led since, and what that one has written counts first.
                    self._leading = lease.confirmed()
                turned = time.time()
                if self._leading:
                    # Else they are read again by who leads.
                    self._act(requests)
                if not self._leading and lease.held() and lease.confirmed():
                    required = [*self._leases, lease]
                    self._take_over(self._engine, reader)
                self._turn(self._engine)
                if time.monotonic() - reported >= health.EVERY:
                    reported = time.monotonic()
                    for held in required:
                        held.require()
                    spark_internals.require_alive(self._engine.spark)
                    self._renew_after_a_loss(self._engine)
                    report = self._report(self._engine)
                    reporter.produce(topics.HEALTH, key=report.part, value=report.to_json())
                    reporter.poll(0)
        finally:
            reader.close()

    def close(self) -> None:
        """Stop everything; the receipts stay as they are."""
        if self._rehearsals is not None:
            self._rehearsals.close()
        for lead in self._leads.values():
            lead.close()
        if self._engine is not None:
            with contextlib.suppress(Py4JError, OSError):
                self._engine.spark.stop()

    def _places(self) -> list[TopicPartition]:
        """Return what to read, from what comes next."""
        places = [TopicPartition(topics.RECEIPTS, 0, self._receipts.position)]
        if self._leading:
            places.append(TopicPartition(topics.CONTROL, 0, self._receipts.ledger.handled + 1))
        if self._settings.pipeline.metrics_port or self._settings.pipeline.pair:
            places.append(TopicPartition(topics.HEALTH, 0, OFFSET_END))
        return places

    def _take_over(self, engine: Engine, reader: Consumer) -> None:
        """Begin to lead: start what ran before and what is due, and act on control messages."""
        # All that the one before has written counts.
        end, deadline = ReceiptLog.read(self._connection).position, time.monotonic() + _TIMEOUT
        while self._receipts.position < end:
            if time.monotonic() > deadline:
                raise KafkaError(f"receipts could not be read to their end in {_TIMEOUT:.0f} s")
            self._read(reader)
        self._leading = True
        if self._settings.pipeline.pair:
            priority.restore()
            _log.info("leading the pair, with the changelogs %s", self._copy)
        for flow in dict.fromkeys((*self._documents, *self._receipts.ledger.flows)):
            lead = self._lead(flow)
            with self._guarded(lead):
                lead.start(engine)
        reader.assign(self._places())

    def _lead(self, flow: str) -> Lead:
        """Return the lead of a flow; it is made if there is none."""
        if flow not in self._leads:
            document, folder = self._documents.get(flow), self._folder / flow
            generations = Generations(self._settings, flow, self._receipts, folder, self._copy)
            self._leads[flow] = Lead(self._settings, document, generations)
            if self._leading:
                generations.lead()
        return self._leads[flow]

    def _turn(self, engine: Engine) -> None:
        at = datetime.now(UTC)
        if not self._leading:
            ledger = self._receipts.ledger
            for flow in ledger.flows:
                if any(life.running for life in ledger.lives(flow).values()):
                    self._lead(flow)
        settled = all(lead.settled for lead in self._leads.values())
        for lead in list(self._leads.values()):
            with self._guarded(lead):
                if self._leading:
                    lead.turn(engine, at, settled=settled)
                else:
                    lead.mirror(engine, self._other_commits)
            if lead.idle:
                self._leads.pop(lead.flow).close()
        if self._rehearsals is not None:
            self._rehearse(self._rehearsals)

    def _rehearse(self, rehearsals: Rehearsals) -> None:
        """Have the flows rehearsed whose live query runs."""
        ledger = self._receipts.ledger
        rehearsals.busy = any(ledger.pending(flow) is not None for flow in self._leads)
        for flow, lead in self._leads.items():
            live = lead.generations.running.get(ledger.live(flow) or 0)
            if live is not None and live.query is not None and live.query.running:
                rehearsals.add(flow_of(live.birth), live.query.bulk)

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
        report = figures.report(self._part, leads, engine.slots.total(), ends)
        self.reports.take(report)
        return report

    @property
    def _part(self) -> str:
        """What this pipeline is called in reports."""
        return "pipeline" if self._leading or not self._settings.pipeline.pair else health.SECOND

    def _other_commits(self, flow: str, generation: int) -> float | None:
        """Return when the one that leads last committed a query, in epoch seconds of this machine.

        None if that is not known, or if it is this one: who leads commits when its time has come.
        """
        report = self.reports.state("pipeline", time.time() - self._behind)
        if self._leading or report is None:
            return None
        found = (f for f in report.figures if f.measure == "committed_at")
        return next(
            (f.value + self._behind for f in found if (f.flow, f.generation) == (flow, generation)),
            None,
        )

    def _read(self, reader: Consumer) -> list[tuple[int, Request | Refuse]]:
        """Take in what has come on the topics, and return the control messages in it."""
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
        return requests

    def _on_report(self, message: Message) -> None:
        """Take what another part reports."""
        report = readable(message, health.parse(message.value()))
        if report is not None and report.part != self._part:
            self.reports.take(report)
            if report.part == "pipeline":
                self._behind = time.time() - report.at

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

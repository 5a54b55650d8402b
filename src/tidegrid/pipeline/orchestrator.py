"""The pipeline process: starts, swaps and ends generations, and says so in receipts.

The receipts are the state: what runs, what lingers, and which control messages were handled is
read from them, so that a start after a crash at any moment goes on where they end.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from confluent_kafka import Consumer, Message, TopicPartition
from py4j.protocol import Py4JError
from pyspark.sql import SparkSession

from tidegrid import kafka, logs
from tidegrid.contract import control, health, receipts, topics
from tidegrid.contract.control import Build, Decision, GoBack, Known, Refuse, Skip
from tidegrid.contract.health import Health
from tidegrid.contract.receipts import Life, Receipt, State
from tidegrid.errors import KafkaError, PipelineError
from tidegrid.pipeline import session
from tidegrid.pipeline.generation import CustomersGeneration
from tidegrid.settings import Settings

_log = logs.get("pipeline")

FLOW = "customers"
#: Seconds between the receipt that ends a generation and the removal of its topics, in which the
#: tables let go of them.
_GRACE = 3.0
#: Restarts in a row after which a generation that is not live yet is given up.
_GIVE_UP = 6
#: A pause this long ends a burst of control messages, in seconds.
_BURST = 0.05


def run(settings: Settings, stop: threading.Event) -> None:
    """Run the customers flow until `stop` is set."""
    bootstrap = settings.kafka.bootstrap
    cluster = kafka.cluster_id(bootstrap)
    with _alone(settings.home / "pipeline.lock", stop) as alone:
        if not alone:
            return
        kafka.ensure_topics(bootstrap, {topics.RECEIPTS: 1}, topics.RECEIPTS_CONFIG)
        kafka.ensure_topics(bootstrap, {health.TOPIC: 1}, health.TOPIC_CONFIG)
        kafka.ensure_topics(bootstrap, {control.TOPIC: 1}, control.TOPIC_CONFIG)
        known, position = read_receipts(bootstrap)
        due = starts_anew(settings, known)
        if due:
            _wait_for_sources(settings, stop)
            if stop.is_set():
                return
        # A checkpoint belongs to a cluster: offsets of another one mean nothing here.
        folder = settings.home / "checkpoints" / cluster / FLOW
        orchestrator = Orchestrator(settings, known, folder)
        orchestrator.start(Build(_sources(settings), settings.customers.join, "earliest"), due)
        try:
            orchestrator.follow(position, stop)
        finally:
            _log.info("stopping")
            orchestrator.close()


class Orchestrator:
    """The generations of one flow, and the thread that leads them through their lives."""

    def __init__(self, settings: Settings, known: list[Receipt], folder: Path) -> None:
        self._settings = settings
        self._bootstrap = settings.kafka.bootstrap
        self._receipts = known
        self._folder = folder
        self._running: dict[int, CustomersGeneration] = {}
        self._producer = kafka.producer(self._bootstrap, **{"linger.ms": 0})
        self._removals = ThreadPoolExecutor(1, "removal")
        self._spark: SparkSession | None = None

    @property
    def _lives(self) -> dict[int, Life]:
        return receipts.lives(self._receipts, FLOW)

    def start(self, wanted: Build, due: bool) -> None:
        """Start Spark, what ran before and, if it is due, a generation of what is wanted."""
        born = self._new_receipt(wanted, control_offset=-1) if due else None
        births = [life.birth for life in self._lives.values() if life.running]
        generations = [self._generation(r) for r in [*births, *([born] if born else [])]]
        slots = session.slots_needed(d for g in generations[-1:] for d in g.demands)
        _log.info("starting Spark")
        self._spark = session.start(self._settings, slots)
        for birth in births:
            self._run(birth)
        if born is not None:
            self._begin(born)
        self._remove_orphans()

    def follow(self, position: int, stop: threading.Event) -> None:
        """Act on control messages and receipts as they come."""
        reader = kafka.reader(self._bootstrap)
        handled = max((r.control for r in self._receipts), default=-1)
        reader.assign(
            [
                TopicPartition(topics.RECEIPTS, 0, position),
                TopicPartition(control.TOPIC, 0, handled + 1),
            ]
        )
        reporter = kafka.producer(self._bootstrap, **{"message.timeout.ms": 5000})
        reported = 0.0
        try:
            while not stop.is_set():
                messages = _burst(reader.poll(0.2), reader)
                self._on_receipts([m for m in messages if m.topic() == topics.RECEIPTS])
                self._on_control([m for m in messages if m.topic() == control.TOPIC])
                self._lead(datetime.now(UTC))
                if time.monotonic() - reported >= health.EVERY:
                    reported = time.monotonic()
                    assert self._spark is not None
                    session.require_alive(self._spark)
                    report = self._health()
                    reporter.produce(health.TOPIC, key=report.part, value=report.to_json())
                    reporter.poll(0)
        finally:
            reader.close()

    def close(self) -> None:
        """Stop everything; the receipts stay as they are."""
        for generation in self._running.values():
            generation.stop()
        self._removals.shutdown(cancel_futures=True)
        if self._spark is not None:
            with contextlib.suppress(Py4JError, OSError):
                self._spark.stop()

    def _on_receipts(self, messages: list[Message]) -> None:
        own = {(r.key, r.at) for r in self._receipts}
        for message in messages:
            receipt = receipts.parse(message.value())
            # Our own come back to us.
            if receipt is not None and (receipt.key, receipt.at) not in own:
                self._receipts.append(receipt)

    def _on_control(self, messages: list[Message]) -> None:
        """Decide about a burst of messages: the last swap wins."""
        requests = [(m.offset() or 0, control.parse(m.value())) for m in messages]
        swaps = [offset for offset, request in requests if isinstance(request, control.Swap)]
        for offset, request in requests:
            if isinstance(request, Refuse):
                self._refuse(offset, request.reason)
            elif isinstance(request, control.Swap) and offset != swaps[-1]:
                self._refuse(offset, f"superseded by message {swaps[-1]}")
            else:
                existing = kafka.names(self._bootstrap)
                self._act(offset, control.decide(request, self._known(), existing, {FLOW}))

    def _known(self) -> Known:
        states = self._lives
        lingering = [g for g, life in states.items() if life.state == "lingering"]
        live = receipts.live(self._receipts, FLOW)
        building = [g for g, life in states.items() if life.state in ("building", "caught-up")]
        target = building[-1] if building else live
        if target is None:
            return Known()
        birth = states[target].birth
        return Known(
            birth.sources,
            birth.join,
            birth.starting,
            lingering[-1] if lingering else None,
            building=bool(building),
        )

    def _act(self, offset: int, decision: Decision) -> None:
        if isinstance(decision, Skip):
            _log.info("control message %d changes nothing", offset)
        elif isinstance(decision, Refuse):
            self._refuse(offset, decision.reason)
        elif isinstance(decision, GoBack):
            # The tables flip to a generation that has caught up, and say `live`.
            life = self._lives[decision.generation]
            _log.info("%s: going back to generation %d", FLOW, decision.generation)
            self._write(replace(life.birth, state="caught-up", at=now(), control=offset))
        else:
            self._swap(offset, decision)

    def _swap(self, offset: int, decision: Build) -> None:
        receipt = self._new_receipt(decision, offset)
        demand = sum(d.slots for d in self._generation(receipt).demands)
        used = sum(d.slots for g in self._running.values() for d in g.demands)
        assert self._spark is not None
        available = self._spark.sparkContext.defaultParallelism
        if used + demand > available:
            self._refuse(
                offset,
                f"these topics need {demand} task slots beside the {used} in use, and Spark has "
                f"{available}",
            )
            return
        for generation, life in self._lives.items():
            if life.state == "lingering":
                self._end(generation, "closed", "a newer swap came")
            elif life.state in ("building", "caught-up"):
                self._end(generation, "refused", f"superseded by message {offset}")
        self._begin(receipt)

    def _lead(self, at: datetime) -> None:
        """Move on every generation whose time has come."""
        live = receipts.live(self._receipts, FLOW)
        for generation, life in self._lives.items():
            age = (at - datetime.fromisoformat(life.at)).total_seconds()
            if life.state == "live" and generation != live:
                self._write(replace(life.birth, state="lingering", at=now()))
            elif life.state == "lingering" and age > self._settings.swap.linger_seconds:
                self._end(generation, "closed", "")
            elif life.state == "building" and live is not None:
                problem = self._problem(generation, age)
                if problem:
                    self._end(generation, "failed", problem)
            elif life.state == "failed" and generation in self._running:
                self._end(generation, None, "")

    def _problem(self, generation: int, age: float) -> str:
        limit = self._settings.swap.timeout_seconds
        if age > limit:
            return f"not caught up in {limit} s"
        queries = self._running[generation].queries if generation in self._running else []
        failing = [q for q in queries if q.restarts >= _GIVE_UP]
        return f"its query keeps failing: {failing[0].last_error}" if failing else ""

    def _begin(self, receipt: Receipt) -> None:
        self._generation(receipt).make_topics()
        self._write(receipt)
        _log.info(
            "%s generation %d: building from %s",
            FLOW,
            receipt.generation,
            ", ".join(receipt.sources.values()),
        )
        self._run(receipt)

    def _run(self, birth: Receipt) -> None:
        generation = self._generation(birth)
        generation.make_topics()
        assert self._spark is not None
        generation.start(self._spark)
        self._running[birth.generation] = generation

    def _end(self, number: int, state: State | None, reason: str) -> None:
        """Write the last receipt of a generation and remove what it had."""
        if state is not None:
            birth = self._lives[number].birth
            self._write(replace(birth, state=state, at=now(), reason=reason))
        _log.info("%s generation %d: %s", FLOW, number, state or "removed")
        generation = self._running.pop(number, None)
        self._removals.submit(self._remove, number, generation)

    def _remove(self, number: int, generation: CustomersGeneration | None) -> None:
        try:
            if generation is not None:
                generation.stop()
            time.sleep(_GRACE)
            self._remove_orphans(only=number)
        except Exception:
            _log.exception("generation %d could not be removed; the next start does it", number)

    def _remove_orphans(self, only: int | None = None) -> None:
        """Remove the topics and checkpoints of generations that no longer run."""
        running = {g for g, life in self._lives.items() if life.running}
        prefix = f"{topics.PREFIX}{FLOW}."
        old = [
            name
            for name in kafka.names(self._bootstrap)
            if name.startswith(prefix)
            and (number := _number(name.removeprefix(prefix))) not in {*running, -1}
            and only in (None, number)
        ]
        if old:
            kafka.delete_topics(self._bootstrap, old)
        for folder in self._folder.iterdir() if self._folder.exists() else ():
            number = _number(folder.name)
            if number not in {*running, -1} and only in (None, number):
                shutil.rmtree(folder, ignore_errors=True)

    def _refuse(self, offset: int, reason: str) -> None:
        _log.warning("control message %d refused: %s", offset, reason)
        self._write(Receipt(FLOW, 0, "refused", now(), control=offset, reason=reason))

    def _write(self, receipt: Receipt) -> None:
        self._producer.produce(topics.RECEIPTS, key=receipt.key, value=receipt.to_json())
        if self._producer.flush(15):
            raise KafkaError(f"receipt {receipt.key} could not be written in 15 s")
        self._receipts.append(receipt)

    def _generation(self, birth: Receipt) -> CustomersGeneration:
        return CustomersGeneration(self._settings, birth, self._folder / str(birth.generation))

    def _new_receipt(self, wanted: Build, control_offset: int) -> Receipt:
        found = kafka.partitions(self._bootstrap, wanted.sources.values())
        if len(found) < len(wanted.sources):
            raise PipelineError("a source topic was removed while a generation started")
        end = kafka.latest(self._bootstrap, found)
        start = self._start_offsets(wanted.starting, found)
        return Receipt(
            flow=FLOW,
            generation=max(self._lives, default=0) + 1,
            state="building",
            at=now(),
            sources=wanted.sources,
            join=wanted.join,
            # Resolved once, so that starting again before the first commit begins at the same
            # place.
            start=start,
            end=kafka.ends_of_records(self._bootstrap, start, end),
            starting=wanted.starting,
            control=control_offset,
        )

    def _start_offsets(self, starting: str, found: dict[str, int]) -> receipts.Offsets:
        at = control.start_time(starting)
        if at is not None:
            return kafka.since(self._bootstrap, found, at)
        read = kafka.latest if starting == "latest" else kafka.earliest
        return read(self._bootstrap, found)

    def _health(self) -> Health:
        queries = [q for g in self._running.values() for q in g.queries]
        down = [q for q in queries if not q.running]
        return Health(
            part="pipeline",
            at=time.time(),
            state="restarting" if down else "running",
            generation=max(self._running, default=0),
            detail="; ".join(q.last_error for q in down if q.last_error),
            restarts=sum(q.restarts for q in queries),
        )


def read_receipts(bootstrap: str) -> tuple[list[Receipt], int]:
    """Return every receipt on the topic, oldest first, and the offset after the last."""
    messages = kafka.read_all(bootstrap, topics.RECEIPTS)
    found = (receipts.parse(m.value()) for m in messages)
    position = max(((m.offset() or 0) + 1 for m in messages), default=0)
    return [r for r in found if r is not None], position


def starts_anew(settings: Settings, known: list[Receipt]) -> bool:
    """Whether the settings ask for a generation: none runs, or they name other sources than before.

    What a control message asked for stays until the settings change.
    """
    states = receipts.lives(known, FLOW)
    if not any(life.running for life in states.values()):
        return True
    from_settings = [life.birth for life in states.values() if life.birth.control < 0]
    wanted = (_sources(settings), settings.customers.join)
    return not from_settings or (from_settings[-1].sources, from_settings[-1].join) != wanted


def now() -> str:
    """Return the time as receipts have it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _burst(first: Message | None, reader: Consumer) -> list[Message]:
    """Return a message with all that come right behind it."""
    found: list[Message] = []
    message = first
    while message is not None:
        if message.error() is None:
            found.append(message)
        message = reader.poll(_BURST if message.topic() == control.TOPIC else 0)
    return found


@contextlib.contextmanager
def _alone(lock: Path, stop: threading.Event) -> Iterator[bool]:
    """Wait until no other pipeline runs with this home; false if told to stop before that."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("a+") as held:
        said = False
        while not stop.is_set():
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if not said:
                    held.seek(0)
                    _log.warning(
                        "another pipeline runs here (process %s); standing aside until it ends",
                        held.read().strip() or "unknown",
                    )
                    said = True
                stop.wait(0.5)
        if stop.is_set():
            yield False
            return
        held.truncate(0)
        held.write(str(os.getpid()))
        held.flush()
        yield True


def _number(name: str) -> int:
    """Return the generation that a topic or folder belongs to; -1 if it is none of ours."""
    head = name.partition(".")[0]
    return int(head) if head.isdigit() else -1


def _sources(settings: Settings) -> dict[str, str]:
    return {
        "users": settings.customers.users_topic,
        "accounts": settings.customers.accounts_topic,
    }


def _wait_for_sources(settings: Settings, stop: threading.Event) -> None:
    wanted = set(_sources(settings).values())
    said = 0.0
    while not stop.is_set():
        missing = wanted - kafka.partitions(settings.kafka.bootstrap, wanted).keys()
        if not missing:
            return
        if time.monotonic() - said > 10:
            said = time.monotonic()
            _log.info("waiting for topic %s to exist", ", ".join(sorted(missing)))
        stop.wait(0.5)

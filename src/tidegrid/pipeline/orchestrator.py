"""The pipeline process: decides which generation should run, runs it, and says so in receipts."""

from __future__ import annotations

import contextlib
import shutil
import threading
import time
from datetime import UTC, datetime
from pathlib import Path

from py4j.protocol import Py4JError

from tidegrid import kafka, logs
from tidegrid.contract import health, receipts, topics
from tidegrid.contract.health import Health
from tidegrid.contract.receipts import Receipt
from tidegrid.errors import KafkaError, PipelineError
from tidegrid.pipeline import session
from tidegrid.pipeline.generation import CustomersGeneration
from tidegrid.settings import Settings

_log = logs.get("pipeline")


def run(settings: Settings, stop: threading.Event) -> None:
    """Run the customers flow until `stop` is set."""
    bootstrap = settings.kafka.bootstrap
    cluster = kafka.cluster_id(bootstrap)
    kafka.ensure_topics(bootstrap, {topics.RECEIPTS: 1}, topics.RECEIPTS_CONFIG)
    kafka.ensure_topics(bootstrap, {health.TOPIC: 1}, health.TOPIC_CONFIG)
    known = read_receipts(bootstrap)
    receipt = resume(settings, known)
    if receipt is None:
        _wait_for_sources(settings, stop)
        if stop.is_set():
            return
        receipt = _new_generation(settings, known)
    # A checkpoint belongs to a cluster: offsets of another one mean nothing here.
    flow_folder = settings.home / "checkpoints" / cluster / receipt.flow
    generation = CustomersGeneration(settings, receipt, flow_folder / str(receipt.generation))
    slots = session.slots_needed(generation.demands)
    _log.info("starting Spark with %d task slots", slots)
    spark = session.start(settings, slots)
    generation.make_topics()
    if receipt not in known:
        write_receipt(bootstrap, receipt)
        _log.info(
            "%s generation %d: building from %s",
            receipt.flow,
            receipt.generation,
            ", ".join(receipt.sources.values()),
        )
    generation.start(spark)
    _remove_others(bootstrap, receipt, flow_folder)
    reporter = kafka.producer(bootstrap, **{"message.timeout.ms": 5000})
    try:
        while not stop.wait(health.EVERY):
            session.require_alive(spark)
            report = _health(generation)
            reporter.produce(health.TOPIC, key=report.part, value=report.to_json())
            reporter.poll(0)
    finally:
        _log.info("stopping")
        generation.stop()
        with contextlib.suppress(Py4JError, OSError):
            spark.stop()


def _health(generation: CustomersGeneration) -> Health:
    queries = generation.queries
    down = [q for q in queries if not q.running]
    return Health(
        part="pipeline",
        at=time.time(),
        state="restarting" if down else "running",
        generation=generation.receipt.generation,
        detail="; ".join(q.last_error for q in down if q.last_error),
        restarts=sum(q.restarts for q in queries),
    )


def read_receipts(bootstrap: str) -> list[Receipt]:
    """Return every receipt on the topic, oldest first."""
    messages = kafka.read_all(bootstrap, topics.RECEIPTS)
    found = (receipts.parse(m.value()) for m in messages)
    return [r for r in found if r is not None]


def write_receipt(bootstrap: str, receipt: Receipt) -> None:
    """Write a receipt and return when the broker has it."""
    producer = kafka.producer(bootstrap)
    producer.produce(topics.RECEIPTS, key=receipt.key, value=receipt.to_json())
    if producer.flush(15):
        raise KafkaError(f"receipt {receipt.key} could not be written to {topics.RECEIPTS} in 15 s")


def resume(settings: Settings, known: list[Receipt]) -> Receipt | None:
    """Return the receipt of the generation to go on with, or None if a new one is due."""
    newest = receipts.newest(known).get("customers")
    if newest is None or newest.state in ("closed", "failed"):
        return None
    building = [
        r
        for r in known
        if r.state == "building" and (r.flow, r.generation) == ("customers", newest.generation)
    ]
    wanted = _sources(settings)
    if building and building[-1].sources == wanted and building[-1].join == settings.customers.join:
        return building[-1]
    return None


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


def _new_generation(settings: Settings, known: list[Receipt]) -> Receipt:
    bootstrap = settings.kafka.bootstrap
    sources = _sources(settings)
    found = kafka.partitions(bootstrap, sources.values())
    if len(found) < len(sources):
        raise PipelineError("a source topic was removed while the pipeline started")
    numbers = [r.generation for r in known if r.flow == "customers"]
    return Receipt(
        flow="customers",
        generation=max(numbers, default=0) + 1,
        state="building",
        at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        sources=sources,
        join=settings.customers.join,
        # Resolved once, so that starting again before the first commit begins at the same place.
        start=kafka.earliest(bootstrap, found),
        end=kafka.latest(bootstrap, found),
    )


def _remove_others(bootstrap: str, receipt: Receipt, flow_folder: Path) -> None:
    """Remove the topics and checkpoints of generations that no longer run."""
    keep = topics.changelog(receipt.flow, receipt.generation, "")
    prefix = f"{topics.PREFIX}{receipt.flow}."
    names = kafka.names(bootstrap)
    old = [n for n in names if n.startswith(prefix) and not n.startswith(keep)]
    if old:
        _log.info("removing %d topics of earlier generations", len(old))
        kafka.delete_topics(bootstrap, old)
    for folder in flow_folder.iterdir() if flow_folder.exists() else ():
        if folder.name != str(receipt.generation):
            shutil.rmtree(folder, ignore_errors=True)

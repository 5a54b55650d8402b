"""A real-time query that stays up: started, watched, restarted from its checkpoint.

Delivery: at least once. After a crash at most one checkpoint interval is read again; the rows are
keyed and versioned, so that writing them again changes nothing.
"""

from __future__ import annotations

import contextlib
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame
from pyspark.sql.streaming import StreamingQuery

from tidegrid import logs
from tidegrid.contract.receipts import Offsets
from tidegrid.errors import first_line
from tidegrid.pipeline import backlog, spark_internals
from tidegrid.pipeline.backlog import Bulk
from tidegrid.pipeline.slots import Engine
from tidegrid.pipeline.spark_internals import (
    clear_uncommitted,
    committed_batches,
    committed_offsets,
)
from tidegrid.retry import Retry

_log = logs.get("pipeline")

_PRODUCER = {
    # A short wait fills batches, so that the sender is not woken for every row.
    "kafka.linger.ms": "2",
    "kafka.batch.size": "131072",
    "kafka.compression.type": "lz4",
    "kafka.max.request.size": "4194304",
    # Topics of generations that are gone are asked for until they are forgotten.
    "kafka.metadata.max.idle.ms": "5000",
}
_CONSUMER = {
    "kafka.fetch.max.wait.ms": "100",
    # What a transaction took back was never there.
    "kafka.isolation.level": "read_committed",
}
#: Seconds between two looks whether a query has committed.
_WATCH_EVERY = 1
#: Of the time between two commits: how soon one may be, and how far from halfway it may be.
_SOONEST, _NEAR = 0.25, 0.1
#: Seconds between two looks for free task slots, and between two lines about it.
_LOOK_EVERY, _SAY_EVERY = 0.5, 30.0


@dataclass(frozen=True)
class QuerySpec:
    """One query of a generation: what it reads, what it does, where it keeps its place."""

    flow: str
    generation: int
    #: The topics to read and the offsets to begin at, as Spark's Kafka source takes them.
    topics: tuple[str, ...]
    starting_offsets: str
    transform: Callable[[DataFrame], DataFrame]
    checkpoint: Path
    #: What is made of a long backlog, which is read before anything else.
    bulk: Bulk
    #: What the user should know about this query, filled in when it starts.
    notes: list[str] = field(default_factory=list)
    #: Whether the headers of records are read.
    headers: bool = False

    @property
    def name(self) -> str:
        """What it is called."""
        return f"{self.flow} {self.generation}"


def seconds_of(interval: str) -> float:
    """Return the seconds of an interval.

    >>> seconds_of("90 seconds"), seconds_of("2 minutes")
    (90.0, 120.0)
    """
    number, unit = interval.split()
    return float(number) * (60 if unit.startswith("minute") else 1)


def until_commit(other: float | None, now: float, interval: float, late: float = 0) -> float:
    """Return after how many seconds to commit: halfway between the commits of another pipeline.

    `other` is when that one last committed, if that is known. It is never much sooner than usual.
    To commit at another time a query is started twice, and each time it is `late`: what is no
    further from halfway than that is left as it is.
    """
    if other is None:
        return interval
    until = (other + interval / 2 - now) % interval
    if min(until, interval - until) < interval * _NEAR + 2 * late:
        return interval
    return until if until >= interval * _SOONEST else until + interval


class Stopped(Exception):  # noqa: N818  - no error, the end of a thread
    """The query was told to stop before it ran."""


class SupervisedQuery:
    """Runs a query in a thread of its own until it is stopped."""

    def __init__(
        self,
        engine: Engine,
        spec: QuerySpec,
        kafka: dict[str, str],
        interval: str,
        demand: int,
        unread: Callable[[Offsets | None], tuple[Offsets, Offsets]],
        other_commit: Callable[[], float | None] | None = None,
    ) -> None:
        """Make it.

        `unread` says from where to where there is something to read after what is committed, and
        raises RecordsGoneError if some of it is not there any more; `other_commit` when another
        pipeline last committed the same query, if it runs beside one.
        """
        self._spark = engine.spark
        self._slots = engine.slots
        self._demand = demand
        self._unread = unread
        self._spec = spec
        self._kafka = {f"kafka.{k}": v for k, v in kafka.items()}
        self._interval = seconds_of(interval)
        self._other_commit = other_commit
        #: Seconds that a query which was started from a checkpoint takes to commit beyond those
        #: that it was to take.
        self._late = 0.0
        self._stopping = threading.Event()
        self._query: StreamingQuery | None = None
        self._thread = threading.Thread(target=self._keep, name=f"query-{spec.name}", daemon=True)
        self._tag = f"tidegrid-{uuid.uuid4().hex}"
        self.restarts = 0
        #: Times that it ended in a row without having committed anything.
        self.failures = 0
        self.last_error = ""
        #: Which records it has still to read although they are gone: then it can never go on.
        self.lost = ""
        #: What it waits for before it can start, if it does.
        self.waiting = ""

    def start(self) -> None:
        """Start the query and keep it running."""
        self._thread.start()

    @property
    def bulk(self) -> Bulk:
        """What it makes of records that are read in bulk."""
        return self._spec.bulk

    @property
    def notes(self) -> list[str]:
        """What the user should know about this query."""
        return self._spec.notes

    @property
    def running(self) -> bool:
        """Whether the query runs at this moment."""
        query = self._query
        return query is not None and query.isActive

    @property
    def in_bulk(self) -> int:
        """How many records it reads in bulk before it runs; 0 if that is over or not needed."""
        read = backlog.begun(self._spec.checkpoint) if not self.running else None
        return read.records if read is not None else 0

    @property
    def state(self) -> dict[str, int]:
        """Bytes of state that it held at its last commit, by where they are."""
        try:
            progress = self._query.lastProgress if self._query is not None else None
        except (PySparkException, Py4JError, OSError):
            return {}
        return spark_internals.state_bytes(progress.stateOperators) if progress is not None else {}

    @property
    def committed_at(self) -> float:
        """When it last committed, in epoch seconds; 0 if it never did."""
        return spark_internals.committed_at(self._spec.checkpoint)

    def renew(self, reason: str) -> None:
        """Start the query again from its checkpoint, if it runs: what it stands on was lost."""
        query = self._query
        if query is not None and query.isActive:
            self.last_error = reason
            with contextlib.suppress(PySparkException, Py4JError, OSError):
                query.stop()

    def stop(self, timeout: float = 15) -> bool:
        """Stop the query for good; return whether it is over within a timeout.

        One that is being planned is over only after that, and writes to its checkpoint until then.
        """
        self._stopping.set()
        self._spark.sparkContext.cancelJobsWithTag(self._tag)
        if self._query is not None:
            try:
                self._query.stop()
            except (PySparkException, Py4JError, OSError) as e:
                _log.warning(
                    "%s: did not stop cleanly: %s",
                    self._spec.name,
                    first_line(e),
                    extra={"flow": self._spec.flow, "generation": self._spec.generation},
                )
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _keep(self) -> None:
        with logs.about(flow=self._spec.flow, generation=self._spec.generation):
            self._run()

    def _run(self) -> None:
        retry = Retry()
        while not self._stopping.is_set():
            committed = self._committed()
            self.last_error = ""
            try:
                self._take_slots()
                interval = self._until_commit()
                self._query = self._start(interval)
                if self._stopping.is_set():
                    # Told so while it started: nobody else stops it.
                    self._query.stop()
                    return
                if self._ended_for_another_interval(self._query, interval):
                    continue
            except Stopped:
                return
            except Exception as e:  # Whatever it was: nobody else would start it again.
                self.last_error = first_line(e)
                self.lost = spark_internals.lost_records(e)
            finally:
                self._slots.give(self)
            if self._stopping.is_set():
                return
            if self._committed() > committed:
                retry.restore()
                self.failures = 0
            self.restarts += 1
            self.failures += 1
            wait = retry.wait()
            _log.error(
                "%s: query ended: %s; starting again in %.0f s",
                self._spec.name,
                self.last_error or "no reason given",
                wait,
            )
            self._stopping.wait(wait)

    def _ended_for_another_interval(self, query: StreamingQuery, interval: float) -> bool:
        """Wait until the query ends; true if it was ended here, to commit at another time.

        Only right after a commit, so that nothing is read again.
        """
        if self._other_commit is None:
            query.awaitTermination()
            return False
        committed, began, measured = self._committed(), time.time(), False
        while not query.awaitTermination(_WATCH_EVERY):
            if self._committed() > committed:
                committed = self._committed()
                if not measured:
                    measured, self._late = True, max(self.committed_at - began - interval, 0)
                if self._until_commit() != interval:
                    query.stop()
                    return True
        return False

    def _until_commit(self) -> float:
        other = self._other_commit() if self._other_commit is not None else None
        return until_commit(other, time.time(), self._interval, self._late)

    def _committed(self) -> int:
        """Return how many batches are committed; none if the folder cannot be read now."""
        try:
            return committed_batches(self._spec.checkpoint)
        except OSError:
            return 0

    def _take_slots(self) -> None:
        """Wait until there is room for this query."""
        said = -_SAY_EVERY
        while missing := self._slots.take(self, self._demand):
            self.waiting = missing
            if time.monotonic() - said > _SAY_EVERY:
                said = time.monotonic()
                _log.warning("%s: %s", self._spec.name, self.waiting)
            if self._stopping.wait(_LOOK_EVERY):
                raise Stopped
        self.waiting = ""

    @contextlib.contextmanager
    def _cancellable(self) -> Iterator[None]:
        """Let `stop` end the jobs started here; nothing goes on after that."""
        context = self._spark.sparkContext
        context.addJobTag(self._tag)
        try:
            yield
        finally:
            context.removeJobTag(self._tag)
        if self._stopping.is_set():
            raise Stopped

    def _start(self, interval: float) -> StreamingQuery:
        spec = self._spec
        clear_uncommitted(spec.checkpoint)
        # From the first offset of all, Spark would wait for records that are gone and say nothing.
        start, end = self._unread(committed_offsets(spec.checkpoint))
        reader = {**self._kafka, **_CONSUMER, "includeHeaders": str(spec.headers).lower()}
        writer = {**self._kafka, **_PRODUCER}
        with self._cancellable():
            backlog.read(self._spark, spec.bulk, start, end, reader, writer, spec.checkpoint)
        raw = (
            self._spark.readStream.format("kafka")
            .options(**reader)
            .option("subscribe", ",".join(spec.topics))
            .option("startingOffsets", spec.starting_offsets)
            .load()
        )
        rows = (
            spec.transform(raw)
            .writeStream.format("kafka")
            .queryName(f"{spec.name}-{self.restarts}")
            .options(**writer)
            .option("checkpointLocation", str(spec.checkpoint))
            .outputMode("update")
        )
        # The type hints of this release do not know the trigger yet.
        every = f"{round(interval * 1000)} milliseconds"
        query = rows.trigger(realTime=every).start()  # type: ignore[call-overload]
        assert isinstance(query, StreamingQuery)
        _log.info("%s: reading %s", spec.name, ", ".join(spec.topics))
        return query
